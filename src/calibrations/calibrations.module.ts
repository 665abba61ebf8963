import { Module } from '@nestjs/common';
import { CalibrationWorker } from './calibration-worker';
import { CalibrationsController } from './calibrations.controller';
import { CalibrationsService } from './calibrations.service';

/** How far judges agree with people, measured on transcripts that people have labelled. */
@Module({
  controllers: [CalibrationsController],
  providers: [CalibrationsService, CalibrationWorker],
})
export class CalibrationsModule {}
