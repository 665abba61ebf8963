import { Module } from '@nestjs/common';
import { AgreementController } from './agreement.controller';
import { AgreementService } from './agreement.service';
import { ReviewQueueController } from './review-queue.controller';
import { ReviewQueueService } from './review-queue.service';
import { ReviewsController } from './reviews.controller';
import { ReviewsService } from './reviews.service';

/** What people decide about what the judge has marked, and how well the two agree. */
@Module({
  controllers: [ReviewsController, ReviewQueueController, AgreementController],
  providers: [ReviewsService, ReviewQueueService, AgreementService],
  exports: [AgreementService],
})
export class ReviewsModule {}
