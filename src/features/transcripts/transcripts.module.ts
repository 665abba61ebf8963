import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors';
import { RunsModule } from '../runs/runs.module';
import { TranscriptsController } from './transcripts.controller';
import { TranscriptsService } from './transcripts.service';

/** Conversations from elsewhere. */
@Module({ imports: [ActorsModule, RunsModule], controllers: [TranscriptsController], providers: [TranscriptsService] })
export class TranscriptsModule {}
