import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { FromCaller } from '../../platform/http/role.guard';
import { OncePerKey, type Answered, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import type { WriteWith } from '../../platform/database/connections';
import { createReviewRequest, type CreateReviewRequest } from './review.requests';
import { reviewSheetView, type ReviewSheetView } from './review-sheet.view';
import { reviewList, reviewView, type ReviewList, type ReviewView } from './review.views';
import { ReviewsService } from './reviews.service';

const NOT_FOUND = 'Scenario run not found';

@ApiTags('Reviews')
@Controller('api/v1/scenario-runs/:id')
export class ReviewsController {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly once: OncePerKey,
  ) {}

  @Get('reviews')
  @Endpoint({
    id: 'listReviews',
    role: 'viewer',
    summary: 'List the reviews of a scenario run, oldest first',
    answers: { 200: { description: 'All of them.', schema: reviewList }, 404: NOT_FOUND },
  })
  list(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ReviewList> {
    return this.reviews.list(id, caller);
  }

  @Get('review-sheet')
  @Endpoint({
    id: 'getReviewSheet',
    role: 'viewer',
    summary: 'Get what a reviewer needs to review a scenario run blind',
    description: 'The conversation and the criteria, without anything of what the judge decided.',
    answers: {
      200: { description: 'The sheet.', schema: reviewSheetView },
      404: NOT_FOUND,
      409: 'The scenario run is not graded.',
    },
  })
  sheet(@Param('id') id: string, @FromCaller() caller: Caller): Promise<ReviewSheetView> {
    return this.reviews.sheet(id, caller);
  }

  @Post('reviews')
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'createReview',
    role: 'runner',
    summary: 'Review a scenario run',
    description:
      'Decisions on every criterion of a graded scenario run, added to the reviews that it has. The judge’s marks and the run’s status stay as they ' +
      'are; `effective` of the scenario run and `reviewed_pass_rate` of the statistics say what holds by the reviewers. The key that ' +
      'writes it is the reviewer, and whether it is blind is what the service has shown to that key before. docs/reviews.md says how ' +
      'several reviews are taken together.',
    answers: {
      201: { description: 'The review as stored.', schema: reviewView },
      400: 'A field is missing or wrong, a criterion is unknown or not decided, or a quote is not in the agent’s reply.',
      404: NOT_FOUND,
      409: 'The scenario run is not graded, there is nothing to adjudicate, the key adjudicates what it has reviewed, or it has reviewed it under another name.',
    },
  })
  create(
    @Param('id') id: string,
    @Body({ schema: createReviewRequest }) request: CreateReviewRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReviewView> {
    const make = async (remember: WriteWith<Answered<ReviewView>>) => ({
      view: await this.reviews.add(id, request, caller, (tx, view) => remember(tx, { view })),
    });
    return this.once.answer(response, 'createReview', { id, ...request }, make, (view) => [view.test_run_id]);
  }
}
