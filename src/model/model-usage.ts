/** Token counts and price of language-model calls; zeros when offline. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars by list price; null when the model's price is not known. */
  readonly costUsd: number | null;
}

/** No model was called. */
export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Of several calls together; one of unknown price makes the whole unknown. */
export function sumOfUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}
