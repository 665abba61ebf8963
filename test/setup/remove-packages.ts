export { removePackages as default } from './packed-packages';
