import { Body, Controller, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { FromCaller, Serves } from '../../platform/http';
import { OncePerKey, type Answered } from '../../platform/idempotency';
import type { WriteWith } from '../../platform/database';
import { ReviewsService } from './reviews.service';
import { listReviews, createReview, type ReviewList, type ReviewView } from '../../../contract/reviews';
import { getReviewSheet, type ReviewSheetView } from '../../../contract/review-sheet';
import { type CreateReviewRequest } from '../../../contract/review-decisions';

@Controller()
export class ReviewsController {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(listReviews)
  list(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ReviewList> {
    return this.reviews.list(id, caller);
  }

  @Serves(getReviewSheet)
  sheet(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ReviewSheetView> {
    return this.reviews.sheet(id, caller);
  }

  @Serves(createReview)
  create(
    @Param('id') id: string,
    @Body({ schema: createReview.body }) request: CreateReviewRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReviewView> {
    const make = async (remember: WriteWith<Answered<ReviewView>>) => ({
      view: await this.reviews.add(id, request, caller, (tx, view) => remember(tx, { view })),
    });
    return this.once.answer(response, 'createReview', { id, ...request }, make, (view) => [view.test_run_id]);
  }
}
