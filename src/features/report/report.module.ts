import { Module } from '@nestjs/common';
import { ReviewsModule } from '../reviews/reviews.module';
import { RunsModule } from '../runs/runs.module';
import { SpeechModule } from '../speech/speech.module';
import { ReportController } from './report.controller';
import { ReportService } from './report.service';

/** What a run comes to, for those who decide about the agent. */
@Module({
  imports: [RunsModule, ReviewsModule, SpeechModule],
  controllers: [ReportController],
  providers: [ReportService],
})
export class ReportModule {}
