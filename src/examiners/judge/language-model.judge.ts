import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DECISIONS, type Decision } from '../../domain';
import {
  type AdapterHealth,
  AnswerFormat,
  type LanguageModel,
  type ModelAnswer,
  type Prompt,
  type CallLimits,
} from '../model/language-model';
import { ModelError } from '../model/model-error';
import { UNLIKELY_ACTS } from './control-questions';
import { Judge, JudgeError } from './judge';
import {
  judgeMessage,
  NARROW_SYSTEM_PROMPT,
  PROMPT_TEMPLATES,
  PROOFS_SYSTEM_PROMPT,
  WHOLE_SYSTEM_PROMPT,
} from './prompts';
import type { Mark, MarkingRequest, MarkingAnswer } from './marking-request';

const LIMITS: CallLimits = { attemptMs: 90_000, overallMs: 120_000 };
/** Thinking included; an answer to one question takes about 100. */
const BASE_TOKENS = 6_000;
const TOKENS_A_QUESTION = 400;
const MOST_TOKENS = 32_000;
const MAX_SUMMARY_CHARACTERS = 4_000;

/** Models write the properties in this order: first the evidence, then what it means, then what follows. */
function answersOn(scale: readonly [Decision, ...Decision[]]) {
  return z.array(
    z.object({
      question: z.number(),
      evidence: z.array(z.string()),
      absence: z.boolean(),
      rationale: z.string(),
      decision: z.enum(scale),
    }),
  );
}

function formatsOn(scale: readonly [Decision, ...Decision[]]) {
  const answers = answersOn(scale);
  return {
    whole: new AnswerFormat(z.object({ addressed_to_examiner: z.array(z.string()), answers, summary: z.string() })),
    narrow: new AnswerFormat(z.object({ answers })),
  };
}

const FORMATS = formatsOn(DECISIONS);
const BINARY_FORMATS = formatsOn(['MET', 'NOT MET']);

const PROMPT_VERSION = createHash('sha256')
  .update(JSON.stringify([PROMPT_TEMPLATES, z.toJSONSchema(FORMATS.whole.schema), UNLIKELY_ACTS]))
  .digest('hex')
  .slice(0, 12);

type Answers = z.output<ReturnType<typeof answersOn>>;

/** Has a language model mark sheets; only the model's client knows the vendor. */
export class LanguageModelJudge extends Judge {
  readonly name: string;
  readonly model: string;
  readonly promptVersion = PROMPT_VERSION;
  readonly isDeterministic = false;
  readonly health: AdapterHealth;

  constructor(
    private readonly api: LanguageModel,
    private readonly limits: CallLimits = LIMITS,
  ) {
    super();
    this.name = api.vendor;
    this.model = api.name;
    this.health = { status: 'ok', detail: `Transcripts are marked by ${api.name}.` };
  }

  async mark(request: MarkingRequest, signal: AbortSignal): Promise<MarkingAnswer> {
    const formats = request.scale.includes('PARTIALLY MET') ? FORMATS : BINARY_FORMATS;
    if (request.extent !== 'whole') {
      const system = request.extent === 'narrow' ? NARROW_SYSTEM_PROMPT : PROOFS_SYSTEM_PROMPT;
      const { value, ...call } = await this.ask(system, request, formats.narrow, signal);
      return { marks: marksIn(value.answers), addressedToExaminer: [], summary: '', ...call };
    }
    const { value, ...call } = await this.ask(WHOLE_SYSTEM_PROMPT, request, formats.whole, signal);
    const summary = value.summary.replaceAll('\0', '').slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed();
    return { marks: marksIn(value.answers), addressedToExaminer: value.addressed_to_examiner, summary, ...call };
  }

  /** Called by the application when it stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.api.close();
  }

  private async ask<Schema extends z.ZodType>(
    system: string,
    request: MarkingRequest,
    format: AnswerFormat<Schema>,
    signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>> {
    const prompt: Prompt = {
      system,
      messages: [judgeMessage(request)],
      maxTokens: Math.min(MOST_TOKENS, BASE_TOKENS + TOKENS_A_QUESTION * request.questions.length),
      effort: request.extent === 'whole' ? 'medium' : 'low',
    };
    return this.api.answer(prompt, format, this.limits, signal).catch((error: unknown) => {
      // A fault of the harness is not the model's, and a caller that cancels needs no reason.
      if (!(error instanceof ModelError) || error.kind === 'canceled') throw error;
      throw new JudgeError(error.kind, error.message, { cause: error });
    });
  }
}

function marksIn(answers: Answers): Mark[] {
  return answers.map(({ question, ...mark }) => ({ number: question, ...mark }));
}
