import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors/actors.module';
import { HealthModule } from '../health/health.module';
import { StreamModule } from '../stream/stream.module';
import { CountedEvents } from './counted-events';
import { Gauges } from './gauges';
import { MetricsController } from './metrics.controller';

/** What is counted from outside, by watching the other parts, and where all of it is read. */
@Module({
  imports: [ActorsModule, HealthModule, StreamModule],
  controllers: [MetricsController],
  providers: [CountedEvents, Gauges],
})
export class ScrapingModule {}
