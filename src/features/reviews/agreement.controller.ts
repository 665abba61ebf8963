import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { filledText, givenId, queryNumber } from '../../platform/http/field';
import { FromCaller } from '../../platform/http/role.guard';
import { LinesOfCallers } from '../../platform/http/lines-of-callers';
import { ShownMarks } from '../shown-marks/shown-marks';
import { AgreementService } from './agreement.service';
import { agreementView, type AgreementView } from './agreement.view';
import { sample, seed } from './review-queue.controller';

/** Each reads all reviews. */
const AT_ONCE = 2;

const agreementQuery = z.object({
  judge: filledText(200)
    .optional()
    .describe('Only what this judge marked: its name, such as offline, its model, or the version of its prompts.'),
  tag: filledText(200).optional().describe('Only criteria with this tag, such as must_pass.'),
  test_run_id: givenId.optional().describe('Only conversations of this run: UUID or label.'),
  confidence: queryNumber(z.number().min(50).lt(100).default(95)).describe(
    'The confidence level of the intervals, in percent.',
  ),
  sample: sample.describe('As the review queue was asked for; the corrected pass rate needs its random sample.'),
  seed: seed.describe('The seed that the review queue was asked with.'),
});

@ApiTags('Reviews')
@Controller('api/v1/agreement')
export class AgreementController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly agreement: AgreementService,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getAgreement',
    role: 'viewer',
    summary: 'Get how well the judge and the reviewers agree',
    description:
      'Over conversations that a person reviewed without seeing the judge’s marks. Intervals are drawn by a fixed seed, conversation by conversation. ' +
      'docs/reviews.md says what each number answers.',
    answers: {
      200: { description: 'The agreement.', schema: agreementView },
      400: 'A parameter is wrong.',
      404: 'Test run not found',
    },
  })
  async find(
    @Query({ schema: agreementQuery }) query: z.output<typeof agreementQuery>,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgreementView> {
    const {
      judge = null,
      tag = null,
      test_run_id: testRun = null,
      seed: drawnBy = null,
      confidence,
      sample: share,
    } = query;
    const asked = { judge, tag, testRun, seed: drawnBy, confidence, sample: share };
    const { view, testRunIds } = await this.lines.inLine(response, () => this.agreement.find(asked));
    await this.shown.ofRuns(caller, testRunIds);
    return view;
  }
}
