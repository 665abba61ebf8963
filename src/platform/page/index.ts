/** Hands out the built page as files, compressed when it was built. */

export { builtPageFolder, servePage } from './serve-page';
