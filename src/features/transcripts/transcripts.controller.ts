import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { OncePerKey } from '../../platform/idempotency';
import { TranscriptsService } from './transcripts.service';
import { gradeTranscripts, type TranscriptsAnswer, type TranscriptsRequest } from '../../../contract/transcripts';
import { Serves } from '../../platform/http';

@Controller()
export class TranscriptsController {
  constructor(
    private readonly transcripts: TranscriptsService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(gradeTranscripts)
  grade(
    @Body({ schema: gradeTranscripts.body }) request: TranscriptsRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TranscriptsAnswer> {
    return this.once.answer(
      response,
      'gradeTranscripts',
      request,
      async (remember) => ({
        view: await this.transcripts.grade(request, (tx, view) => remember(tx, { view })),
      }),
      ({ id }) => [id],
    );
  }
}
