import { Module } from '@nestjs/common';
import { EventPipeline } from './event-pipeline';
import { EventStreams } from './event-streams';
import { EventsController } from './events.controller';
import { PageReader } from './page-reader';
import { RunLookup } from './run-lookup';
import { StreamSlots } from './stream-slots';
import { StreamTimes } from './stream-times';

/** Delivers committed events to subscribers, over `GET /events`. */
@Module({
  controllers: [EventsController],
  providers: [EventPipeline, EventStreams, PageReader, RunLookup, StreamSlots, StreamTimes],
  exports: [StreamSlots, StreamTimes],
})
export class StreamModule {}
