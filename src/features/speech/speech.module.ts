import { Module } from '@nestjs/common';
import { RecordingsController } from './recordings.controller';
import { RecordingsService } from './recordings.service';
import { TimelineService } from './timeline.service';

/** Spoken conversations, heard and measured. */
@Module({
  controllers: [RecordingsController],
  providers: [RecordingsService, TimelineService],
  exports: [RecordingsService],
})
export class SpeechModule {}
