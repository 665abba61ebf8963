import { randomUUID } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { maySeeSecrets, type Caller } from '../access/caller';
import type { Log } from '../config/log';
import { AgentsStore } from '../persistence/agents.store';
import { readPace } from '../providers/config';
import { fieldOf } from '../providers/config-reader';
import { ProviderError } from '../providers/errors';
import { secretValuesOf } from '../providers/secret-values';
import type { AgentConfig, Provider, Reply, Session } from '../providers/provider';
import { ProviderRegistry } from '../providers/registry';
import { editedConfig, requireNoMasks } from './edited-config';
import { runnersConfig } from './runners-changes';
import type { TriedAgent, TryAgentRequest, TryUnsavedAgentRequest } from './try-agent.view';

/** Someone is waiting for the answer: no more tries than this, however many the agent's runs may make. */
const MOST_RETRIES = 1;
/** No longer than this for each of the two steps, however long the agent may take for a turn. */
const LONGEST_STEP_MS = 120_000;
/** Of an agent that is not stored: a trial never holds up others at the same place for longer than the ten seconds that this makes. */
const LEAST_PER_MINUTE = 6;
/** For an agent whose config cannot be read at all: connecting then says what is wrong with it. */
const UNREADABLE_CONFIG_MS = 30_000;

/** Who waits for the answer. */
export interface Asker {
  /** Of the request. */
  readonly log: Log;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Sends one message to an agent, the way a run would, and stores nothing. */
@Injectable()
export class TryAgent {
  constructor(
    private readonly agents: AgentsStore,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * Whatever the agent does is the answer, even when it fails. Connecting and the reply may take `turn_timeout_ms` each.
   * @throws NotFoundException
   * @throws BadRequestException when this deployment cannot run agents of the kind at all, and as editedConfig and runnersConfig
   */
  async try(
    agentId: string,
    { message, config }: TryAgentRequest,
    caller: Caller,
    { log, signal }: Asker,
  ): Promise<TriedAgent> {
    const agent = await this.agents.find(agentId);
    if (agent === null) throw new NotFoundException('Agent not found');
    const edit = maySeeSecrets(caller) ? editedConfig : runnersConfig;
    const tried = config === undefined ? agent.config : await edit(agent, config);
    // However many secrets a change brings, they do not crowd out the stored ones.
    const otherSecrets = secretValuesOf(agent.config);
    const trial = { provider: agent.provider, config: tried, stored: agent.config, message, otherSecrets };
    return this.exchange(agentId, trial, { log, signal });
  }

  /** Likewise, of an agent that is not stored. @throws BadRequestException likewise */
  async tryUnsaved(request: TryUnsavedAgentRequest, asker: Asker): Promise<TriedAgent> {
    requireNoMasks(request.config);
    return this.exchange(randomUUID(), { ...request, stored: null, otherSecrets: [] }, asker);
  }

  private async exchange(
    agentId: string,
    { provider: kind, ...trial }: Trial & { readonly provider: string },
    { log, signal }: Asker,
  ): Promise<TriedAgent> {
    const provider = this.usable(kind);
    try {
      return answerOf(await exchange(provider, agentId, trial, signal));
    } catch (error) {
      const failure = error instanceof ProviderError ? error : null;
      if (failure === null && !signal.aborted) log.error('Trying an agent failed unexpectedly', { error, agentId });
      return {
        ok: false,
        error_code: failure?.code ?? 'internal',
        error: failure?.message ?? 'The harness met an unexpected error; its log names the cause.',
      };
    }
  }

  private usable(kind: string): Provider {
    const provider = this.providers.find(kind);
    if (provider === undefined) throw new BadRequestException(`This version cannot run agents of the kind "${kind}".`);
    const availability = provider.availability();
    if (!availability.available) throw new BadRequestException(availability.reason);
    return provider;
  }
}

interface Trial {
  readonly config: AgentConfig;
  /** What its runs are examined with; null: it has none. */
  readonly stored: AgentConfig | null;
  readonly message: string;
  /** As ConnectRequest's. */
  readonly otherSecrets: readonly string[];
}

interface Tried {
  readonly reply: Reply;
  readonly greeting: string | null;
  readonly session: Session;
}

async function exchange(
  provider: Provider,
  agentId: string,
  { config: given, stored, message, otherSecrets }: Trial,
  signal: AbortSignal,
): Promise<Tried> {
  const { config, stepMs, perMinute } = inHaste(given, stored);
  // Called by every provider after waiting in line and before sending.
  let isAdmitted = perMinute === null;
  const late = (): ProviderError => (isAdmitted ? unanswered(stepMs) : heldBack(stepMs, perMinute));
  const assureOwnership = (): Promise<void> => {
    isAdmitted = true;
    return Promise.resolve();
  };
  const scenarioRunId = randomUUID();
  const start = { attempt: 1, history: [], continuation: null };
  const request = { agentId, config, scenarioRunId, ...start, assureOwnership, otherSecrets };
  const session = await within(stepMs, signal, unanswered, (step) => provider.connect(request, step));
  try {
    const reply = await within(stepMs, signal, late, (step) => session.send(message, step));
    return { reply, greeting: session.greeting, session };
  } finally {
    await session.close();
  }
}

/**
 * The config with fewer retries, and how long each step may take. The slot that its one message takes of `requests_per_minute` is the
 * one that a run would take: the budget is shared, and a slower pace that somebody only tries would hold up every run of the agent.
 */
function inHaste(
  config: AgentConfig,
  stored: AgentConfig | null,
): { config: AgentConfig; stepMs: number; perMinute: number | null } {
  try {
    const { max_retries, turn_timeout_ms, requests_per_minute: asked } = readPace(config);
    const perMinute = stored === null ? asked && Math.max(asked, LEAST_PER_MINUTE) : storedPace(stored);
    const others = Object.entries(config).filter(([key]) => fieldOf('', key) !== 'requests_per_minute');
    return {
      config: {
        ...Object.fromEntries(others),
        max_retries: Math.min(max_retries, MOST_RETRIES),
        requests_per_minute: perMinute,
      },
      stepMs: Math.min(turn_timeout_ms, LONGEST_STEP_MS),
      perMinute,
    };
  } catch {
    return { config, stepMs: UNREADABLE_CONFIG_MS, perMinute: null };
  }
}

/** Null where a stored config cannot be read: no run can be started with it. */
function storedPace(config: AgentConfig): number | null {
  try {
    return readPace(config).requests_per_minute;
  } catch {
    return null;
  }
}

function unanswered(ms: number): ProviderError {
  return new ProviderError('provider_timeout', `No answer came within ${ms} ms.`);
}

/** The harness's own doing: the agent was not asked. */
function heldBack(ms: number, perMinute: number | null): ProviderError {
  return new ProviderError(
    'rate_limited',
    `Nothing was sent within ${ms} ms: the agent's requests_per_minute (${perMinute}) is used up by other requests. ` +
      'Try again later, or raise it.',
  );
}

/** @throws ProviderError `late` when the step takes longer than `ms`; otherwise what it throws */
async function within<Result>(
  ms: number,
  signal: AbortSignal,
  late: (ms: number) => ProviderError,
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  let isLate = false;
  const abort = (): void => deadline.abort();
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await step(deadline.signal);
  } catch (error) {
    if (isLate && !signal.aborted) throw late(ms);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function answerOf({ reply, greeting, session }: Tried): TriedAgent {
  const { content, latencyMs, metadata } = reply;
  return {
    ok: true,
    reply: content,
    greeting,
    latency_ms: latencyMs,
    metadata: { ...metadata, ...session.metadata() },
  };
}
