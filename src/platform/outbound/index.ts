/**
 * One HTTP call to the outside: the body that is read of its answer, within bounds, and what a refusal means. Agents, language
 * models and webhooks are called with it.
 */

export { withRetries, leastWaitMs, type RetryPolicy } from './retry';
export {
  bodyOf,
  HttpCall,
  isSuccess,
  retryAfterMs,
  isUntrustedCertificate,
  type RawResponse,
  type Received,
} from './http-call';
