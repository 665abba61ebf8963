export { packPackages as default } from './packed-packages';
