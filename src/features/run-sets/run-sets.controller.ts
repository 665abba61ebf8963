import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { QueryOf } from '../../../contract/operation';
import {
  cancelRunSet,
  compareRunSet,
  getRunSet,
  startRunSet,
  type CancelRunSetAnswer,
  type RunSetView,
  type StartRunSetAnswer,
  type StartRunSetRequest,
} from '../../../contract/run-sets';
import { callerOf } from '../../platform/access';
import { jsonDocument, LinesOfCallers, sendDocument, Serves } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { ShownMarks } from '../shown-marks/shown-marks';
import { RunSetComparisons } from './run-set-comparisons';
import { RunSets } from './run-sets.service';

/** The comparisons of eight large runs take some seconds of the processor. */
const AT_ONCE = 1;

@Controller()
export class RunSetsController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly sets: RunSets,
    private readonly comparisons: RunSetComparisons,
    private readonly once: OncePerKey,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(startRunSet)
  start(
    @Body({ schema: startRunSet.body }) request: StartRunSetRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartRunSetAnswer> {
    return this.once.answer(
      response,
      'startRunSet',
      request,
      async (remember) => ({ view: await this.sets.start(request, (tx, view) => remember(tx, { view })) }),
      ({ runs }) => runs.map(({ id }) => id),
    );
  }

  @Serves(getRunSet)
  find(@Param('id') id: string): Promise<RunSetView> {
    return this.sets.find(id);
  }

  @Serves(cancelRunSet)
  cancel(@Param('id') id: string): Promise<CancelRunSetAnswer> {
    return this.sets.cancel(id);
  }

  @Serves(compareRunSet)
  async compare(
    @Param('id') id: string,
    @Query({ schema: compareRunSet.query }) query: QueryOf<typeof compareRunSet>,
    @Res() response: Response,
  ): Promise<void> {
    const asked = { confidencePercent: query.confidence, minCoverage: query.min_coverage };
    const compared = await this.lines.inLine(response, () => this.comparisons.compare(id, asked));
    const runs = compared.pairs.flatMap(({ before, after }) => [before.id, after.id]);
    await this.shown.ofRuns(callerOf(response.req), runs);
    sendDocument(response, jsonDocument(compared));
  }
}
