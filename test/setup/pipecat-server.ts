import { once } from 'node:events';
import { createServer } from 'node:net';
import { ApiClient } from './api-client';
import type { LiveKitServer } from './livekit-server';
import { PythonAgent } from './voice-peers';

/** Starts bots and ends their sessions. */
export const PIPECAT_KEY = 'pk_of-the-clinic';

export interface PipecatServer {
  readonly baseUrl: string;
  sessions(): Promise<readonly string[]>;
  /** As a crash would. Idempotent. */
  close(): Promise<void>;
}

/** Real Pipecat bots (by default the example's) behind a start endpoint with Pipecat Cloud's paths. */
export async function startPipecatServer(
  livekit: LiveKitServer,
  modelBaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  program = 'examples/agents/pipecat-cloud-like/agent.py',
): Promise<PipecatServer> {
  const port = await freePort();
  const server = await PythonAgent.start(
    program,
    [],
    {
      PORT: String(port),
      PUBLIC_KEY: PIPECAT_KEY,
      LIVEKIT_URL: livekit.url,
      LIVEKIT_API_KEY: livekit.apiKey,
      LIVEKIT_API_SECRET: livekit.apiSecret,
      OPENAI_BASE_URL: modelBaseUrl,
      OPENAI_API_KEY: 'none',
      ...env,
    },
    'Pipecat bots can be started at',
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    sessions: async () => {
      const { body } = await new ApiClient(baseUrl).get('/sessions');
      return body.sessions;
    },
    close: () => server.close(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The socket has no port.');
  return address.port;
}
