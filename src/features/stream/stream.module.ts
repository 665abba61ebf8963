import { Module } from '@nestjs/common';
import { RunSummariesModule } from '../runs/run-summaries';
import { ShownMarksModule } from '../shown-marks/shown-marks';
import { EventPipeline } from './event-pipeline';
import { EventStreams } from './event-streams';
import { EventsController } from './events.controller';
import { LogPageReader } from './log-page-reader';
import { LogHeads } from './log-heads';
import { StreamSlots } from './stream-slots';
import { StreamTimes } from './stream-times';

/** Delivers committed events to subscribers, over `GET /events`. */
@Module({
  imports: [RunSummariesModule, ShownMarksModule],
  controllers: [EventsController],
  providers: [EventPipeline, EventStreams, LogPageReader, LogHeads, StreamSlots, StreamTimes],
  exports: [StreamSlots, StreamTimes],
})
export class StreamModule {}
