import type { Decision } from '../../machines/rubric';
import type { ModelUsage } from '../model/model-usage';

/** One sentence of a conversation under its id: `a3.2` is the second sentence of the agent's reply in turn 3, `p3.1` the patient's first. */
export interface NumberedSentence {
  readonly id: string;
  readonly speaker: 'agent' | 'patient';
  readonly turn: number;
  /** Word for word as it is stored. */
  readonly text: string;
  /** Found by rules to speak to whoever marks; it proves nothing but a fault. */
  readonly toExaminer: boolean;
  /** Characters of the message that were left out before this sentence: the message is too long to be read whole. */
  readonly leftOutBefore: number;
}

/** What a judge is asked about one criterion, or about a control question that looks like one. */
export interface Question {
  /** Position in this sheet, from 1; answers name questions by it. It says nothing of the rubric's order. */
  readonly number: number;
  readonly criterion: string;
  /** Something the agent must not do. A narrow examination does not tell. */
  readonly isFault: boolean;
  /** What was wrong with the first answer; null at the first asking. */
  readonly objection: string | null;
}

/** One call of a judge. */
export interface Sheet {
  /** `whole`: the conversation. `narrow`: the sentences on which one decision hangs, and nothing about the scenario. */
  readonly extent: 'whole' | 'narrow';
  readonly questions: readonly Question[];
  readonly sentences: readonly NumberedSentence[];
  /** Random, and drawn after the last word of the conversation was said: nothing in it can hold this marker. One an examination. */
  readonly marker: string;
  /** The decisions that may be given; a binary scale has no PARTIALLY MET. */
  readonly scale: readonly Decision[];
}

/** A judge's answer to one question, in the order in which it is thought: what is there, what it means, what follows. */
export interface Mark {
  readonly number: number;
  /** Ids of sentences. */
  readonly evidence: readonly string[];
  /** The proof is that nothing of the kind stands in any reply. */
  readonly absence: boolean;
  readonly rationale: string;
  readonly decision: Decision;
}

export interface SheetAnswer {
  readonly marks: readonly Mark[];
  /** Ids of sentences that speak to whoever marks. */
  readonly addressedToExaminer: readonly string[];
  /** Empty for a narrow examination. */
  readonly summary: string;
  readonly usage: ModelUsage;
  /** The model that answered, by its own account; null when none was asked or it did not say. */
  readonly answeredBy: string | null;
}
