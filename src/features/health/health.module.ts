import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { ActorsModule } from '../../engine/actors';
import { HealthService, Readiness } from './health.service';

/** Probes for people and orchestrators. */
@Module({
  imports: [ActorsModule],
  controllers: [HealthController],
  providers: [HealthService, Readiness],
  exports: [Readiness],
})
export class HealthModule {}
