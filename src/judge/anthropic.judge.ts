import { z } from 'zod';
import { DECISIONS } from '../../machines/rubric';
import { AnswerFormat, AnthropicModel, type AnthropicOptions } from '../model/anthropic.model';
import type { CallLimits } from '../model/call-deadline';
import type { AdapterHealth } from '../model/adapter-health';
import { Judge, JudgeError, type JudgeAnswer, type JudgeRequest } from './judge';
import { judgeMessage, JUDGE_SYSTEM_PROMPT, leftOutOf } from './prompts';

const LIMITS: CallLimits = { attemptMs: 90_000, overallMs: 120_000 };
/** Thinking included; a decision with its quotes takes about 200. */
const BASE_TOKENS = 6_000;
const TOKENS_A_CRITERION = 400;
const MOST_TOKENS = 32_000;
const MAX_SUMMARY_CHARACTERS = 4_000;

const verdict = new AnswerFormat(
  z.object({
    decisions: z.array(
      z.object({
        index: z.number(),
        decision: z.enum(DECISIONS),
        rationale: z.string(),
        evidence: z.array(z.object({ turn: z.number(), quote: z.string() })),
      }),
    ),
    summary: z.string(),
  }),
);

/** A language model marks the transcript. */
export class AnthropicJudge extends Judge {
  readonly name = 'anthropic';
  readonly model: string;
  readonly health: AdapterHealth;
  private readonly api: AnthropicModel;

  constructor(
    options: AnthropicOptions,
    private readonly limits: CallLimits = LIMITS,
  ) {
    super();
    this.api = new AnthropicModel(options);
    this.model = options.model;
    this.health = { status: 'ok', detail: `Transcripts are marked by ${options.model}.` };
  }

  async grade(request: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer> {
    const prompt = {
      system: JUDGE_SYSTEM_PROMPT,
      messages: [judgeMessage(request)],
      maxTokens: Math.min(MOST_TOKENS, BASE_TOKENS + TOKENS_A_CRITERION * request.criteria.length),
      effort: 'medium' as const,
    };
    const { value, usage } = await this.api.answer(prompt, verdict, this.limits, signal).catch((error: unknown) => {
      throw new JudgeError(error instanceof Error ? error.message : 'The judge failed.', { cause: error });
    });
    const summary = value.summary.replaceAll('\0', '').slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed();
    return { decisions: value.decisions, summary, usage, unread: leftOutOf(request.transcript) };
  }

  /** Called by the application when it stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.api.close();
  }
}
