import type { Server } from 'node:http';
import type { Settings } from '../config/settings';
import { VERSION } from '../config/version';

const LOOPBACK = /^(127\.|::1$|localhost$)/;
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Where the service listens and, when no key guards it, who can reach it. */
export function addressSentences({ host, serviceApiKeys }: Settings, server: Server): string[] {
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : bound;
  const reachable = EVERYWHERE.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${reachable}:${port}`;
  const sentences = [
    `Agent OSCE ${VERSION} listens on ${url}; open it in a browser. Its API is described at ${url}/docs.`,
  ];
  if (serviceApiKeys.length > 0) return sentences;
  sentences.push(
    LOOPBACK.test(host)
      ? 'No SERVICE_API_KEY is set, so it listens on this machine only; set one before you open it to others.'
      : `WARNING: no SERVICE_API_KEY is set, and everyone who can reach ${host}:${port} can read stored credentials; set one.`,
  );
  return sentences;
}
