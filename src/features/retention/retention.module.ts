import { Module } from '@nestjs/common';
import { Retention } from './retention';

/** How long runs are kept, and how deleted ones go. */
@Module({ providers: [Retention] })
export class RetentionModule {}
