import type { Region, Decision, RubricCriterion } from '../../domain';
import type { ModelUsage } from '../model/model-usage';
import { requirementOf } from './requirement';

/** One sentence of a conversation with its id: `a3.2` is the second sentence of the agent's reply in turn 3, `p3.1` the patient's first. */
export interface NumberedSentence {
  readonly id: string;
  readonly speaker: 'agent' | 'patient';
  readonly turn: number;
  /** Word for word as it is stored. */
  readonly text: string;
  /** Found by rules to address the examiner; it proves nothing but a fault. */
  readonly toExaminer: boolean;
  /** How many characters of the message were left out before this sentence, because it is too long to be read whole. */
  readonly leftOutBefore: number;
  /** Not words but the tool call at this place among those of its turn, from 1; only a check finds any. */
  readonly call?: number;
}

/** What a judge is asked about one criterion, or about a control question that looks like one. */
export interface Question {
  /** Position in this request, from 1; answers name questions by it. It says nothing about the rubric's order. */
  readonly number: number;
  readonly criterion: string;
  /** Something the agent must not do. Always false in a narrow examination, which does not reveal it. */
  readonly isFault: boolean;
  /** What was wrong with the first answer; null the first time. */
  readonly objection: string | null;
  /** Ids of the only sentences that it is decided by; only where proofs are read. */
  readonly by?: readonly string[];
}

/** One call of a judge. */
export interface MarkingRequest {
  /**
   * `whole`: the conversation. `narrow`: the sentences that one decision depends on, and nothing about the scenario. `proofs`: of each
   * question the sentences that were named as its proof, and nothing else that the agent said.
   */
  readonly extent: 'whole' | 'narrow' | 'proofs';
  readonly questions: readonly Question[];
  readonly sentences: readonly NumberedSentence[];
  /** Random, and drawn after the last word of the conversation was said, so nothing in it can contain the marker. One per examination. */
  readonly marker: string;
  /** Where the patient is; null when that is not known: then any country's numbers count. */
  readonly region: Region | null;
  /** The decisions that may be given; a binary scale has no PARTIALLY MET. */
  readonly scale: readonly Decision[];
}

/** A judge's answer to one question, in the order of its reasoning: the evidence, what it means, what follows. */
export interface Mark {
  readonly number: number;
  /** Ids of sentences. */
  readonly evidence: readonly string[];
  /** The proof is that no reply says anything of the kind. */
  readonly absence: boolean;
  readonly rationale: string;
  readonly decision: Decision;
}

export interface MarkingAnswer {
  readonly marks: readonly Mark[];
  /** Ids of sentences that address the examiner. */
  readonly addressedToExaminer: readonly string[];
  /** Empty unless the whole conversation was read. */
  readonly summary: string;
  readonly usage: ModelUsage;
  /** The model that answered, as it named itself; null when none was asked or it did not say. */
  readonly answeredBy: string | null;
}

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
  /** The kind of the check that decided it, without a judge. */
  readonly check?: string;
  /** How many replies were searched, where those are not all. */
  readonly repliesRead?: number;
}

/**
 * Whether a sentence proves a criterion even when it addresses the examiner: an agent's fault is a fault, to whichever listener
 * it is said. Such words earn nothing, and do not make up for anything left out.
 */
export function countsWhoeverIsAddressed(criterion: Pick<RubricCriterion, 'criterion' | 'points'>): boolean {
  return criterion.points < 0 && !requirementOf(criterion).expectsAbsence;
}
