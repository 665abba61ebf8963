/** Token counts and price of language-model calls; zeros when offline. */
export interface ModelUsage extends TokenCounts {
  /** Answers that were paid for. */
  readonly calls: number;
  /** The models that gave them, as they named themselves. */
  readonly answeredBy: readonly string[];
  /** US dollars by list price; null when the price is not known. */
  readonly costUsd: number | null;
}

export interface TokenCounts {
  /** Tokens of the whole prompt, including what the vendor's cache held. */
  readonly inputTokens: number;
  /** Input tokens that were read from the vendor's prompt cache: cheaper. */
  readonly cacheReadTokens: number;
  /** Input tokens that were written to it for later calls: more expensive with some vendors. */
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** No more names than this are kept. */
const MOST_NAMES = 10;

/** No model was called. */
export const NO_USAGE: ModelUsage = {
  calls: 0,
  answeredBy: [],
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

/** The usage of both together; an unknown price makes the total unknown. */
export function sumOfUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    calls: one.calls + other.calls,
    answeredBy: [...new Set([...one.answeredBy, ...other.answeredBy])].slice(0, MOST_NAMES),
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}

/** Called with what each answer of a model cost. */
export type OnUsage = (usage: ModelUsage) => void;
