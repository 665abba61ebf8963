import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors';
import { StreamModule } from '../stream/stream.module';
import { ActorFeeds, ActorStreams } from './actor-streams';
import { ActorInspection } from './actor-inspection';
import { WatchTimes } from './inspection-messages';
import { InspectionController } from './inspection.controller';
import { InspectionService, ProcessInquiry } from './inspection.service';

/** The statecharts, and the actors that live in them on every process. */
@Module({
  imports: [ActorsModule, StreamModule],
  controllers: [InspectionController],
  providers: [ActorFeeds, ActorInspection, ActorStreams, InspectionService, ProcessInquiry, WatchTimes],
})
export class InspectionModule {}
