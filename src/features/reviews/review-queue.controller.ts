import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { keyNameOf, type Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { filledText, queryNumber } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { LinesOfCallers } from '../../platform/http/lines-of-callers';
import { pageFields } from '../../platform/http/page';
import { ShownMarks } from '../shown-marks/shown-marks';
import {
  DEFAULT_SAMPLE,
  type Whose,
  ReviewQueueService,
  reviewQueueView,
  type ReviewQueueView,
} from './review-queue.service';

/** The whole run is looked through for a page of its queue. */
const AT_ONCE = 2;
const LARGEST_SEED = 4_294_967_295;

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((given) => given === 'true');

export const sample = queryNumber(z.number().min(0).max(100).default(DEFAULT_SAMPLE)).describe(
  'Percent of the scenario runs of which nothing stands out that are drawn at random.',
);
export const seed = queryNumber(z.int().min(0).max(LARGEST_SEED).optional()).describe(
  'Determines which are drawn. Left out, it is the same for everybody.',
);

const queueQuery = z.object({
  ...pageFields,
  sample,
  seed,
  reviewer: filledText(200)
    .optional()
    .describe('Progress and `open` are about reviews under this name, by whatever key.'),
  mine: flag.describe(
    'true: progress and `open` are about the reviews that the key of this request wrote; on a service without keys, about `reviewer`.',
  ),
  open: flag.describe('true: only what is not reviewed yet.'),
  blind: flag.describe('true: without the reasons, for reviewers who are not to know what the judge found.'),
});

@ApiTags('Reviews')
@Controller('api/v1/tests/:id/review-queue')
export class ReviewQueueController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly queue: ReviewQueueService,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getReviewQueue',
    role: 'viewer',
    summary: 'List the scenario runs of a test run that should be reviewed',
    description:
      'By id or label: scenario runs that violate a must-pass criterion, then those with disputed criteria, then those that are flagged, then a ' +
      'random sample of the rest that a seed determines. Only what was graded.',
    answers: {
      200: { description: 'A page of the queue, and the progress of the reviews.', schema: reviewQueueView },
      400: 'A parameter is wrong.',
      404: 'Test run not found',
    },
  })
  async find(
    @Param('id') id: string,
    @Query({ schema: queueQuery }) query: z.output<typeof queueQuery>,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReviewQueueView> {
    const { mine, reviewer, seed: drawnBy = null, ...rest } = query;
    const keyName = mine ? keyNameOf(caller) : null;
    const named: Whose = reviewer === undefined ? 'anybody' : { reviewer };
    const asked = { ...rest, seed: drawnBy, whose: keyName === null ? named : { keyName } };
    const queue = await this.lines.inLine(response, () => this.queue.find(id, asked));
    // The reason for which a conversation is in the queue says what the judge found; one of the sample may be anything.
    const told = queue.results.filter(({ reason }) => reason !== null && reason !== 'sample');
    await this.shown.ofConversations(
      caller,
      told.map(({ scenario_run_id: scenarioRunId }) => ({ id: scenarioRunId, test_run_id: queue.test_run_id })),
    );
    return queue;
  }
}
