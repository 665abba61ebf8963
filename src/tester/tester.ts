import type { Exchange } from '../../machines/conversation';
import type { RubricCriterion } from '../../machines/rubric';

/** Token counts and price of language-model calls; zeros when offline. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars by list price; null when the model's price is not known. */
  readonly costUsd: number | null;
}

/** No model was called. */
export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function sumOfUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}

/** What the health check says of a tester or judge: a warning when it is not good enough for real verdicts. */
export interface AdapterHealth {
  readonly status: 'ok' | 'warning';
  readonly detail: string;
}

export interface PatientScenario {
  readonly name: string;
  readonly content: ScenarioContent;
}

/** The three fields of the specification; other keys are kept and may be used (`initial_message`, `clinical_facts`). */
export interface ScenarioContent {
  readonly script: string;
  readonly demographics: { readonly age?: number; readonly gender?: string; readonly [key: string]: unknown };
  readonly chief_complaint: string;
  readonly [key: string]: unknown;
}

export interface PatientTurnRequest {
  readonly scenario: PatientScenario;
  readonly history: readonly Exchange[];
  /** The turn to write, from 1. */
  readonly turn: number;
  readonly maxTurns: number;
  readonly greeting: string | null;
}

export interface PatientMessage {
  readonly content: string;
  readonly usage: ModelUsage;
}

/** Port: plays the standardized patient. */
export abstract class Tester {
  abstract readonly name: 'anthropic' | 'offline';
  /** Model identifier; null when no model is used. */
  abstract readonly model: string | null;
  abstract readonly health: AdapterHealth;
  /** @throws TesterError */
  abstract nextMessage(request: PatientTurnRequest, signal: AbortSignal): Promise<PatientMessage>;
}

/** The tester could not write the next message: an error of the harness, never of the agent. */
export class TesterError extends Error {
  override readonly name = 'TesterError';
}

export interface GenerationRequest {
  readonly text: string;
  /** `one` makes the single most important case, `all` one for each case the text holds. */
  readonly extent: 'one' | 'all';
}

export interface GeneratedScenario {
  readonly name: string;
  readonly category: string;
  readonly content: ScenarioContent;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** Port: turns clinical text into scenarios. */
export abstract class ScenarioGenerator {
  abstract readonly name: 'anthropic' | 'offline';
  /** @throws TesterError when the model fails or its answer stays unusable after one repair. */
  abstract generate(request: GenerationRequest, signal: AbortSignal): Promise<readonly GeneratedScenario[]>;
}
