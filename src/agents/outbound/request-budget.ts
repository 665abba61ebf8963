/**
 * Port: `requests_per_minute`, kept for all who share a key. Requests are spread evenly, never bunched at a minute's start,
 * and served in the order of arrival.
 */
export abstract class RequestBudget {
  /**
   * Resolves when one request may be sent.
   * @param key names the budget; holds no credential in clear text
   * @param perMinute the rate as the asking agent's config has it now; above 0, fractions allowed
   * @throws ProviderError canceled when the signal is aborted; its place in the line then goes to the next
   */
  abstract acquire(key: string, perMinute: number, signal: AbortSignal): Promise<void>;
}
