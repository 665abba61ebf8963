import { Module } from '@nestjs/common';
import { Clearance } from './clearance';

/** How long runs are kept, and how deleted ones go. */
@Module({ providers: [Clearance] })
export class RetentionModule {}
