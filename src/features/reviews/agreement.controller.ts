import { Controller, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { FromCaller, LinesOfCallers, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { AgreementService } from './agreement.service';
import { getAgreement, type AgreementView } from '../../../contract/agreement';
import type { QueryOf } from '../../../contract/operation';

/** Each reads all reviews. */
const AT_ONCE = 2;

@Controller()
export class AgreementController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly agreement: AgreementService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getAgreement)
  async find(
    @Query({ schema: getAgreement.query }) query: QueryOf<typeof getAgreement>,
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
