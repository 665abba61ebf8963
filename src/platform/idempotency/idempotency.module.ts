import { Global, Module } from '@nestjs/common';
import { OncePerKey } from './once-per-key';

/** What makes things makes them once per key. */
@Global()
@Module({ providers: [OncePerKey], exports: [OncePerKey] })
export class IdempotencyModule {}
