import { Module } from '@nestjs/common';
import { StoredSecrets } from './stored-secrets';

/** What becomes of the secrets that are stored already when SECRETS_KEY is set, changed or taken away. */
@Module({ providers: [StoredSecrets] })
export class SecretsModule {}
