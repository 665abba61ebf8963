import type { Exchange } from '../../machines/conversation';
import type { Decision, Evidence, RubricCriterion } from '../../machines/rubric';
import type { AdapterHealth } from '../model/adapter-health';
import type { ModelUsage } from '../model/model-usage';

export interface IndexedCriterion extends RubricCriterion {
  /** Position in the scenario's rubric, from 0; answers name criteria by it. */
  readonly index: number;
}

export interface JudgeRequest {
  readonly scenarioName: string;
  readonly chiefComplaint: string;
  readonly transcript: readonly Exchange[];
  readonly criteria: readonly IndexedCriterion[];
  /** On the second asking: what was wrong with the first answer, by criterion index. */
  readonly objections: ReadonlyMap<number, string>;
}

export interface CriterionDecision {
  readonly index: number;
  readonly decision: Decision;
  readonly rationale: string;
  readonly evidence: readonly Evidence[];
}

/** A part of an agent's reply that the judge did not get to see. */
export interface Unread {
  readonly turn: number;
  readonly characters: number;
}

export interface JudgeAnswer {
  readonly decisions: readonly CriterionDecision[];
  readonly summary: string;
  readonly usage: ModelUsage;
  /** What was left out of the agent's replies for their length, by turn; empty or absent when all of it was read. */
  readonly unread?: readonly Unread[];
}

/** Port: marks a transcript against a rubric. Its answer is not believed until the evidence check has seen it. */
export abstract class Judge {
  abstract readonly name: 'anthropic' | 'offline';
  /** Model identifier; null when no model is used. */
  abstract readonly model: string | null;
  abstract readonly health: AdapterHealth;
  /** @throws JudgeError */
  abstract grade(request: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer>;
}

/** Grading could not be done: an error of the harness, never a failure of the agent. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
}
