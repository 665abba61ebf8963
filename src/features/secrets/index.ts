/** Encrypts or decrypts what is stored when `SECRETS_KEY` is set, changed or taken away, while the service runs. */

export { SecretsModule } from './stored-secrets';
