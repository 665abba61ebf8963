import type { Exchange } from '../../machines/conversation';
import type { RubricCriterion } from '../../machines/rubric';
import type { PatientScenario, ScenarioContent } from '../../machines/scenario';
import type { AdapterHealth } from '../model/adapter-health';
import type { ModelUsage } from '../model/model-usage';

export interface PatientTurnRequest {
  readonly scenario: PatientScenario;
  readonly history: readonly Exchange[];
  /** The turn to write, from 1. */
  readonly turn: number;
  readonly maxTurns: number;
  readonly greeting: string | null;
}

/** What the patient says next, and what writing it cost. */
export interface ComposedMessage {
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
  abstract nextMessage(request: PatientTurnRequest, signal: AbortSignal): Promise<ComposedMessage>;
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
