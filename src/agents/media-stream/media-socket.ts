import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { connectThrough } from '../../platform/egress';
import { AgentHttpCall, type HttpResponse } from '../outbound/agent-http-call';
import { ProviderError } from '../errors';
import type { LinePlan } from './line-wire';
import { acceptOf } from './web-socket-frames';

/** The beginning of a refusal says what is wrong. */
const MOST_REFUSAL_BYTES = 64 * 1024;

/** A server that answered and did not take up the stream. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';

  constructor(readonly response: HttpResponse) {
    super('The server refused the upgrade.');
  }
}

/** Asks for a WebSocket; ends once. */
class UpgradeCall extends AgentHttpCall {
  constructor(
    private readonly upgraded: (socket: Duplex, headers: IncomingHttpHeaders) => void,
    onEnd: (outcome: HttpResponse | ProviderError) => void,
  ) {
    super(MOST_REFUSAL_BYTES, onEnd);
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    this.upgraded(socket, headers);
  }
}

/**
 * A socket that was upgraded to WebSocket. It connects to the checked addresses of the plan alone.
 * @throws UpgradeRefused, ProviderError `connect_failed`, `provider_error`, `config_invalid`
 */
export async function openMediaSocket(plan: LinePlan, signal: AbortSignal): Promise<Duplex> {
  const client = new Client(plan.origin, { connect: connector(plan, signal), headersTimeout: 0, bodyTimeout: 0 });
  const key = randomBytes(16).toString('base64');
  const headers = { ...plan.headers, 'sec-websocket-key': key, 'sec-websocket-version': '13' };
  try {
    return await new Promise<Duplex>((resolve, reject) => {
      const call = new UpgradeCall(
        (socket, answered) => {
          if (answered['sec-websocket-accept'] === acceptOf(key)) return resolve(socket);
          socket.on('error', () => undefined).destroy();
          reject(notWebSocket());
        },
        (outcome) => reject(outcome instanceof ProviderError ? outcome : new UpgradeRefused(outcome)),
      );
      const onAbort = (): void => call.fail(ProviderError.canceled());
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) return onAbort();
      client.dispatch({ path: plan.path, method: 'GET', headers, upgrade: 'websocket' }, call);
    });
  } finally {
    // An upgraded socket is no longer the client's.
    void client.destroy();
  }
}

function notWebSocket(): ProviderError {
  return new ProviderError(
    'provider_error',
    "The agent's server upgraded the connection to something other than WebSocket: check url in the agent's config.",
  );
}

function connector({ addresses, through }: LinePlan, signal: AbortSignal): buildConnector.connector {
  const lookup: LookupFunction = (_host, { all }, answer) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all === true) answer(null, found);
    else answer(null, first?.address ?? '', first?.family);
  };
  const connect = buildConnector({ lookup });
  if (through === null) return connect;
  return (options, answer) => {
    connectThrough(through.proxy, through.end, options, connect, signal).then(
      (socket) => answer(null, socket),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
