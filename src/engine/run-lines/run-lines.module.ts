import { Module } from '@nestjs/common';
import { RunLines } from './run-lines';

/** What the log says of runs. */
@Module({ providers: [RunLines] })
export class RunLinesModule {}
