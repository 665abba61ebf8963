import { Module } from '@nestjs/common';
import { ActorsModule } from '../../engine/actors';
import { RunsModule } from '../runs/runs.module';
import { CalibrationResults } from './calibration-results';
import { CalibrationsController } from './calibrations.controller';
import { CalibrationsService } from './calibrations.service';

/** How far judges agree with people, measured on transcripts that people have labelled. */
@Module({
  imports: [ActorsModule, RunsModule],
  controllers: [CalibrationsController],
  providers: [CalibrationsService, CalibrationResults],
})
export class CalibrationsModule {}
