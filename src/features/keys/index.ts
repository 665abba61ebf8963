/** Keys for programs that are made, listed and revoked while the service runs, beside those of the settings. */

export { KeysModule } from './keys.module';
export { NamedKeysStore } from './named-keys.store';
