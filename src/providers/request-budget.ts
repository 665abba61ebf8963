/**
 * Port: `requests_per_minute`, kept for all who share a key. Requests are spread evenly, never bunched at a minute's start,
 * and served in the order they asked.
 */
export abstract class RequestBudget {
  /**
   * Resolves when one request may be sent.
   * @param key which budget; holds no credential in clear
   * @param perMinute the rate as the asking agent's config has it now; above 0, fractions allowed
   * @throws ProviderError canceled when the signal is aborted; the place in the line is then free for the next
   */
  abstract acquire(key: string, perMinute: number, signal: AbortSignal): Promise<void>;
}
