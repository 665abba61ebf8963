import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { callerOf } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { givenId, queryNumber } from '../../platform/http/field';
import { jsonDocument, sendDocument } from '../../platform/http/json-document';
import { LinesOfCallers } from '../../platform/http/lines-of-callers';
import { ShownMarks } from '../shown-marks/shown-marks';
import { ComparisonService } from './comparison.service';
import { comparisonView } from './comparison.view';
import { confidence } from './statistics.controller';

/** Two runs of 20,000 conversations take some seconds, and tens of megabytes. */
const AT_ONCE = 2;

export const minCoverage = queryNumber(z.number().min(0).max(100).default(95)).describe(
  'The share of conversations, in percent, that must have a verdict in both runs; with fewer the verdict is cannot_tell.',
);

const comparisonQuery = z.object({
  before: givenId.describe('UUID or label of the run to compare with.'),
  confidence,
  min_coverage: minCoverage,
});

@ApiTags('Test runs')
@Controller('api/v1/tests/:id/comparison')
export class ComparisonController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly comparisons: ComparisonService,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'compareTestRuns',
    role: 'viewer',
    summary: 'Compare a test run with an earlier one: better, worse, mixed, no evidence of a change, or cannot tell',
    description:
      'Scenarios with a verdict in both runs are compared where their text and rubric are the same. ' +
      'Three questions are asked as one family: did they pass less often, score lower, violate more must-pass criteria. ' +
      'docs/statistics.md says what the verdicts mean and what they do not.',
    answers: {
      200: { description: 'The comparison.', schema: comparisonView },
      400: 'before is missing or is the run itself, or confidence or min_coverage is out of range.',
      404: 'Test run not found',
      409: 'Either run is under way.',
    },
  })
  async compare(
    @Param('id') after: string,
    @Query({ schema: comparisonQuery }) query: z.output<typeof comparisonQuery>,
    @Res() response: Response,
  ): Promise<void> {
    const asked = { before: query.before, after, confidencePercent: query.confidence, minCoverage: query.min_coverage };
    const comparison = await this.lines.inLine(response, () => this.comparisons.compare(asked));
    await this.shown.ofRuns(callerOf(response.req), [comparison.before.id, comparison.after.id]);
    sendDocument(response, jsonDocument(comparison));
  }
}
