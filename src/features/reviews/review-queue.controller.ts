import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { keyNameOf, type Caller } from '../../platform/access';
import { FromCaller, LinesOfCallers, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { type Whose, ReviewQueueService } from './review-queue.service';
import { getReviewQueue, type ReviewQueueView } from '../../../contract/review-queue';
import type { QueryOf } from '../../../contract/operation';

/** The whole run is looked through for a page of its queue. */
const AT_ONCE = 2;

@Controller()
export class ReviewQueueController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly queue: ReviewQueueService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getReviewQueue)
  async find(
    @Param('id') id: string,
    @Query({ schema: getReviewQueue.query }) query: QueryOf<typeof getReviewQueue>,
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
