import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Endpoint } from '../../platform/http/endpoint';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import {
  transcriptsAnswer,
  transcriptsRequest,
  type TranscriptsAnswer,
  type TranscriptsRequest,
  TranscriptsService,
} from './transcripts.service';

@ApiTags('Derived runs')
@Controller('api/v1/transcripts')
export class TranscriptsController {
  constructor(
    private readonly transcripts: TranscriptsService,
    private readonly once: OncePerKey,
  ) {}

  @Post()
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'gradeTranscripts',
    role: 'runner',
    summary: 'Mark conversations that were held elsewhere',
    description:
      'A test run of what an agent said in production or in another tool, marked like any other; no agent is called. Each conversation is marked by the ' +
      'rubric of a scenario, or by one of its own. Several messages of one side in a row are one; a last message of the patient ' +
      'without a reply is left out. Conversations with one scenario count as its trials.',
    answers: {
      200: { description: 'The run is stored and in progress.', schema: transcriptsAnswer },
      400: 'A field is missing or wrong, a scenario does not exist, or the model is not one of ALLOWED_MODELS.',
      409: 'A scenario was purged in this very moment.',
    },
  })
  grade(
    @Body({ schema: transcriptsRequest }) request: TranscriptsRequest,
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
