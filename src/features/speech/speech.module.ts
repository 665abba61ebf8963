import { Module } from '@nestjs/common';
import { EvidenceSound } from './evidence-sound';
import { MeasuringThread } from './measuring-thread';
import { RecordingsController } from './recordings.controller';
import { RecordingsService } from './recordings.service';
import { SpeechMeasuresController } from './speech-measures.controller';
import { SpeechMeasuresService } from './speech-measures.service';
import { TimelineService } from './timeline.service';

/** Spoken conversations, heard and measured. */
@Module({
  controllers: [RecordingsController, SpeechMeasuresController],
  providers: [RecordingsService, TimelineService, SpeechMeasuresService, MeasuringThread, EvidenceSound],
  exports: [SpeechMeasuresService, EvidenceSound],
})
export class SpeechModule {}
