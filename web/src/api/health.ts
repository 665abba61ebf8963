import type { HealthView } from '../../../contract/health';
import type { MeView } from '../../../contract/me';
import { call } from './client';

export type { HealthView as Health } from '../../../contract/health';
export type { MeView as Me } from '../../../contract/me';

export function getHealth(signal: AbortSignal): Promise<HealthView> {
  return call('GET /health', { signal });
}

/** The owner of the page's key, and what the key may do. */
export function getMe(signal: AbortSignal): Promise<MeView> {
  return call('GET /api/v1/me', { signal });
}
