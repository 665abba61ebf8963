import { suffices } from '../../src/platform/access/caller';
import type { Operation } from './api-description';
import { ROLES, type Role } from '../../contract/operation';

/** A key of each role. */
export const KEYS: Readonly<Record<Role, string>> = {
  viewer: 'key-to-look-0123456789-0123',
  reviewer: 'key-to-review-0123456789-01',
  runner: 'key-to-run-0123456789-01234',
  admin: 'key-to-change-0123456789-01',
};

/** What a service is started with to take them. */
export function keyVariables(): Record<string, string> {
  return {
    SERVICE_API_KEY: KEYS.admin,
    SERVICE_RUNNER_KEY: KEYS.runner,
    SERVICE_REVIEWER_KEY: KEYS.reviewer,
    SERVICE_VIEWER_KEY: `viewer-of-the-clinic:${KEYS.viewer}`,
  };
}

/** How an endpoint refuses a role; null when it does not. */
export interface Tried {
  readonly method: string;
  readonly path: string;
  readonly refused: 401 | 403 | null;
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Asks every endpoint with the key of this role (null: with none), for what is not there and with a body that holds nothing: what a
 * role may do is said before anything else.
 */
export function triedOperations(url: string, operations: readonly Operation[], role: Role | null): Promise<Tried[]> {
  return Promise.all(operations.map((operation) => tried(url, operation, role)));
}

async function tried(url: string, { method, path }: Operation, role: Role | null): Promise<Tried> {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const response = await fetch(url + path.replaceAll(/\{[^}]+\}/g, UNKNOWN_ID), {
    method,
    headers: {
      ...(role !== null && { 'x-api-key': KEYS[role] }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: '{}' }),
  });
  // Streams have no end of their own.
  await response.body?.cancel();
  const { status } = response;
  return { method, path, refused: status === 401 || status === 403 ? status : null };
}

/** How each endpoint has to refuse this role (null: nobody) by the `x-role` of its description. */
export function describedRefusals(operations: readonly Operation[], role: Role | null): Tried[] {
  return operations.map(({ method, path, 'x-role': needed = '' }) => {
    const isAnyones = needed === 'anyone';
    if (role === null) return { method, path, refused: isAnyones ? null : 401 };
    const isEnough = isAnyones || ROLES.some((known) => known === needed && suffices(role, known));
    return { method, path, refused: isEnough ? null : 403 };
  });
}

/** Every role, and nobody. */
export const CALLERS: readonly (Role | null)[] = [...ROLES, null];
