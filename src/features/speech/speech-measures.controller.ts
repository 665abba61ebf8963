import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { QueryOf } from '../../../contract/operation';
import { getRunSpeech } from '../../../contract/speech-measures';
import type { Caller } from '../../platform/access';
import { FromCaller, jsonDocument, LinesOfCallers, sendDocument, Serves } from '../../platform/http';
import { ShownMarks } from '../shown-marks/shown-marks';
import { SpeechMeasuresService } from './speech-measures.service';

/** The measures of a large run take some seconds of the processor when they are first asked for. */
const MEASURED_AT_ONCE = 1;

@Controller()
export class SpeechMeasuresController {
  private readonly lines = new LinesOfCallers(MEASURED_AT_ONCE);

  constructor(
    private readonly measures: SpeechMeasuresService,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getRunSpeech)
  async find(
    @Param('id') id: string,
    @Query({ schema: getRunSpeech.query }) { confidence, by, ...page }: QueryOf<typeof getRunSpeech>,
    @FromCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.lines.inLine(response, () =>
      this.measures.find(id, confidence, by === 'turn' ? page : null),
    );
    // Whether a must-pass criterion was earned shows in the time to escalation.
    await this.shown.ofRuns(caller, [found.test_run_id]);
    sendDocument(response, jsonDocument(found));
  }
}
