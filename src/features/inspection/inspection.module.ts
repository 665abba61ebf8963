import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors/actors.module';
import { StreamModule } from '../stream/stream.module';
import { ActorFeeds } from './actor-feeds';
import { ActorInspection } from './actor-inspection';
import { ActorStreams } from './actor-streams';
import { InspectionController } from './inspection.controller';
import { InspectionService } from './inspection.service';
import { ProcessInquiry } from './process-inquiry';

/** The statecharts, and the actors that live in them on every process. */
@Module({
  imports: [ActorsModule, StreamModule],
  controllers: [InspectionController],
  providers: [ActorFeeds, ActorInspection, ActorStreams, InspectionService, ProcessInquiry],
})
export class InspectionModule {}
