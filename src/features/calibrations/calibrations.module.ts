import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors/actors.module';
import { CalibrationWorker } from './calibration-worker';
import { CalibrationsController } from './calibrations.controller';
import { CalibrationsService } from './calibrations.service';

/** How far judges agree with people, measured on transcripts that people have labelled. */
@Module({
  imports: [ActorsModule],
  controllers: [CalibrationsController],
  providers: [CalibrationsService, CalibrationWorker],
})
export class CalibrationsModule {}
