import { BusStartError } from '../engine/bus';
import { SettingsError } from '../platform/config';
import { DatabaseStartError } from '../platform/database';

/** Why the service cannot start and what to do about it, in one sentence; an unforeseen error with its stack. */
export function startFailureSentence(error: unknown): string {
  const isForeseen =
    error instanceof SettingsError || error instanceof DatabaseStartError || error instanceof BusStartError;
  if (isForeseen) return error.message;
  if (!(error instanceof Error)) return `Agent OSCE could not start: ${String(error)}`;
  return listenFailure(error) ?? `Agent OSCE could not start, which is a defect: ${error.stack ?? error.message}`;
}

function listenFailure(error: Error): string | null {
  if (!('syscall' in error) || !('code' in error)) return null;
  const port = 'port' in error ? String(error.port) : '';
  const address = 'address' in error ? String(error.address) : 'hostname' in error ? String(error.hostname) : '';
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is taken: stop the program that uses it, or set PORT to a free one (0 picks one).`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${address} is not an address of this machine: set HOST to 127.0.0.1, 0.0.0.0 or one that is.`;
    default:
      return null;
  }
}
