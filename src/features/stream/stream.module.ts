import { Module } from '@nestjs/common';
import { RunSummariesModule } from '../runs/run-summaries';
import { ShownMarksModule } from '../shown-marks/shown-marks';
import { EventPipeline, StreamTimes } from './event-pipeline';
import { EventStreams } from './event-streams';
import { EventsController } from './events.controller';
import { LogPageReader, LogHeads } from './log-page-reader';
import { StreamSlots } from './stream-slots';

/** Delivers committed events to subscribers, over `GET /events`. */
@Module({
  imports: [RunSummariesModule, ShownMarksModule],
  controllers: [EventsController],
  providers: [EventPipeline, EventStreams, LogPageReader, LogHeads, StreamSlots, StreamTimes],
  exports: [StreamSlots, StreamTimes],
})
export class StreamModule {}
