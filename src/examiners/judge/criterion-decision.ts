import type { Decision } from '../../domain/rubric';
import type { NumberedSentence } from './marking-request';

/** A decision on one criterion that has been reviewed. */
export interface CriterionDecision {
  /** Position in the scenario's rubric, from 0. */
  readonly index: number;
  readonly decision: Decision;
  readonly rationale: string;
  /** Sentences of the agent, in the order of the conversation. */
  readonly evidence: readonly NumberedSentence[];
  /** Proven by the absence of any such words in the replies. */
  readonly absence: boolean;
  /** The decisions of all examinations, in order; only for criteria that were voted on. */
  readonly votes?: readonly Decision[];
}
