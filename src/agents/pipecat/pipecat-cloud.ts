import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import type { PipecatConfig } from '../config';
import { ProviderError } from '../errors';
import type { ConnectRequest, Json } from '../provider';
import type { Secrets } from '../secrets/secrets';
import { readStarted, saysAtCapacity, terminalStartCode, type StartedSession } from './start-answer';

/** The start wakes a sleeping instance: this long until its bot is in the room. */
export const COLD_START_MS = 120_000;

/** Ending a session is a courtesy: nothing waits longer for it. */
const END_MS = 3_000;

/** Starts and ends sessions of a deployed agent, on Pipecat Cloud or a server with the same paths. */
export class PipecatCloud {
  private readonly endpoint: AgentEndpoint;
  private readonly base: URL;

  constructor(
    private readonly parts: EndpointParts,
    private readonly config: PipecatConfig,
    secrets: Secrets,
    { assureOwnership, traceHeaders }: Pick<ConnectRequest, 'assureOwnership' | 'traceHeaders'> = {},
  ) {
    this.base = withoutVersion(config.base_url);
    this.endpoint = new AgentEndpoint(parts, {
      url: below(this.base, `v1/public/${encodeURIComponent(config.agent_name)}/start`),
      headers: { authorization: `Bearer ${config.api_key}` },
      credential: config.api_key,
      pace: { ...config, turn_timeout_ms: COLD_START_MS },
      secrets,
      terminalCode: terminalStartCode,
      isAtCapacity: saysAtCapacity,
      assureOwnership,
      traceHeaders,
    });
  }

  /**
   * @param bodyOf the body for the bot; called anew for every try, since a try whose answer was lost may have started a bot too
   * @throws ProviderError
   */
  async start(bodyOf: () => Promise<Readonly<Record<string, Json>>>, signal: AbortSignal): Promise<StartedSession> {
    const text = async (): Promise<string> => JSON.stringify({ createDailyRoom: false, body: await bodyOf() });
    try {
      const { value } = await this.endpoint.post(text, readStarted, signal);
      return value;
    } catch (error) {
      throw error instanceof ProviderError && error.code === 'provider_timeout' ? startTimedOut() : error;
    }
  }

  /**
   * Ends a session. A key that may only start sessions is refused, and a session whose bot has left is gone: both are fine.
   * Never throws.
   * @returns the status it was answered with; null when there was no answer
   */
  async end(sessionId: string): Promise<number | null> {
    const { agent_name, api_key } = this.config;
    const url = below(
      this.base,
      `v1/agents/${encodeURIComponent(agent_name)}/sessions/${encodeURIComponent(sessionId)}`,
    );
    try {
      const { status } = await this.parts.http.send(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'DELETE',
          headers: { authorization: `Bearer ${api_key}`, accept: 'application/json', 'user-agent': 'agent-osce' },
          body: null,
          timeoutMs: END_MS,
        },
        // No abort signal: a session that was given up must end all the more.
        new AbortController().signal,
      );
      return status;
    } catch {
      return null;
    }
  }
}

/** The vendor's documents write the address with the version and scope of one of its two APIs; either is accepted. */
function withoutVersion(base: URL): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/v1(\/public)?\/*$/, '/');
  return url;
}

function startTimedOut(): ProviderError {
  return new ProviderError(
    'provider_timeout',
    `The Pipecat session did not start within ${COLD_START_MS / 1000} s; look at the agent's logs in Pipecat Cloud, ` +
      'or keep an instance warm (min_agents of its deployment).',
  );
}
