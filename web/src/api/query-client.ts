import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client';

const RETRIES = 2;

/** Reads are retried when the service or its database was out of reach; a refusal is shown at once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        // The browser's guess whether there is a network is wrong for a service on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}
