import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import {
  readPace,
  fieldOf,
  givenValue,
  AgentHungUp,
  ProviderError,
  configWithoutSecrets,
  type AgentConfig,
  type Provider,
  type Reply,
  type Session,
  ProviderRegistry,
} from '../../agents';
import { secretValuesOf } from '../../agents/secrets';
import { conversationWarning, sendsSession, listNames } from '../../domain';
import { maySeeSecrets, type Caller } from '../../platform/access';
import type { Log } from '../../platform/config';
import { AgentsStore } from './agents.store';
import { differingId } from './differing-ids';
import { editedConfig, requireOwnSecrets, secretsNotGiven } from './edited-config';
import type { TriedAgent, TryAgentRequest, TryUnsavedAgentRequest } from '../../../contract/agent-trials';

/** Only an agent that knows the conversation can answer it. */
const FOLLOW_UP = 'Could you please repeat in your own words what I have just said to you?';

type Config = Readonly<Record<string, unknown>>;
type Agent = { readonly provider: string; readonly config: Config };

/** Fields that say what an agent says and how long it may take: none of them decides what its secrets are used for. */
const HARMLESS: ReadonlySet<string> = new Set([
  'model',
  'system_prompt',
  'temperature',
  'max_tokens',
  'turn_timeout_ms',
  'max_retries',
  'requests_per_minute',
]);

/**
 * The config of an agent to be tried, with changes of a caller who may not see its secrets. An admin has decided what the secrets
 * are used for: with another path, method or body, a runner could do with them whatever they allow at their origin.
 * @throws BadRequestException as editedConfig, and when stored secrets would be used with a change that is not harmless
 */
async function runnersConfig({ provider, config }: Agent, changes: Config): Promise<Config> {
  const edited = await editedConfig({ provider, config }, changes);
  const fields = new Set([...Object.keys(config), ...Object.keys(edited)].map((key) => fieldOf(provider, key)));
  const changed = [...fields].filter(
    (field) =>
      !HARMLESS.has(field) &&
      !isDeepStrictEqual(givenValue(provider, edited, field), givenValue(provider, config, field)),
  );
  if (changed.length === 0) return edited;
  const left = secretsNotGiven(provider, changes, edited).map((key) => `config.${key}`);
  if (left.length > 0) {
    throw new BadRequestException(
      `config.${changed[0]} decides what the agent's stored secrets are used for, which an admin does: ` +
        `give ${listNames(left)} again in the same change, or null to remove them.`,
    );
  }
  // A stored secret that another field repeats is left out too.
  return editedConfig({ provider, config: await configWithoutSecrets(config) }, changes);
}

/** A caller waits for the answer: no more retries than this, however many the agent's runs may make. */
const MOST_RETRIES = 1;
/** Neither of the two steps may take longer than this, however long the agent may take for a turn. */
const LONGEST_STEP_MS = 120_000;
/**
 * The lowest pace of an agent that is not stored: its trial delays others at the same address by no more than the ten seconds
 * that this makes.
 */
const LEAST_PER_MINUTE = 6;
/** For an agent whose config cannot be read at all: connecting then says what is wrong with it. */
const UNREADABLE_CONFIG_MS = 30_000;

/** The caller that waits for the answer. */
export interface Asker {
  /** The log of the request. */
  readonly log: Log;
  /** Aborted when the caller no longer waits. */
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
   * The answer says what the agent did, also when it failed. Connecting and the reply may take `turn_timeout_ms` each.
   * @throws NotFoundException
   * @throws BadRequestException when this deployment cannot run agents of the kind at all, and as editedConfig and runnersConfig
   */
  async try(
    agentId: string,
    { message, follow_up, config }: TryAgentRequest,
    caller: Caller,
    { log, signal }: Asker,
  ): Promise<TriedAgent> {
    const agent = await this.agents.find(agentId);
    if (agent === null) throw new NotFoundException('Agent not found');
    const edit = maySeeSecrets(caller) ? editedConfig : runnersConfig;
    const tried = config === undefined ? agent.config : await edit(agent, config);
    // However many secrets a change brings, they do not crowd out the stored ones.
    const otherSecrets = secretValuesOf(agent.config);
    const asked = { message, followsUp: follow_up };
    const trial = { provider: agent.provider, config: tried, stored: agent.config, ...asked, otherSecrets };
    return this.exchange(agentId, trial, { log, signal });
  }

  /** Does the same with an agent that is not stored. @throws BadRequestException in the same cases */
  async tryUnsaved(request: TryUnsavedAgentRequest, asker: Asker): Promise<TriedAgent> {
    requireOwnSecrets(request.config);
    const { follow_up: followsUp, ...trial } = request;
    return this.exchange(randomUUID(), { ...trial, followsUp, stored: null, otherSecrets: [] }, asker);
  }

  private async exchange(
    agentId: string,
    { provider: kind, ...trial }: Trial & { readonly provider: string },
    { log, signal }: Asker,
  ): Promise<TriedAgent> {
    const provider = this.usable(kind);
    try {
      const tried = await exchange(provider, agentId, trial, signal);
      return answerOf(tried, trialWarnings(kind, trial.config, tried));
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
  /** The config that its runs are examined with; null when it has none. */
  readonly stored: AgentConfig | null;
  readonly message: string;
  /** Whether a second message is sent. */
  readonly followsUp: boolean;
  /** As ConnectRequest's. */
  readonly otherSecrets: readonly string[];
}

interface Tried {
  readonly reply: Reply;
  /** Null when no second message was wanted, or none could be sent. */
  readonly second: Reply | null;
  /** Why a second message that was wanted was not sent; null when it was, or the conversation was over. */
  readonly unsent: string | null;
  /** What the agent's server answered to each message, where that is JSON. */
  readonly answers: readonly (readonly unknown[])[];
  readonly greeting: string | null;
  readonly session: Session;
}

async function exchange(
  provider: Provider,
  agentId: string,
  { config: given, stored, message, followsUp, otherSecrets }: Trial,
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
  const answers: unknown[][] = [[]];
  const onAnswer = (answer: unknown): void => void answers.at(-1)?.push(answer);
  const request = { agentId, config, scenarioRunId, ...start, assureOwnership, otherSecrets, onAnswer };
  const session = await within(stepMs, signal, unanswered, (step) => provider.connect(request, step));
  try {
    const reply = await within(stepMs, signal, late, (step) => session.send(message, step));
    const one = { reply, greeting: session.greeting, session, answers };
    if (!followsUp || reply.endsConversation === true) return { ...one, second: null, unsent: null };
    isAdmitted = perMinute === null;
    answers.push([]);
    try {
      const second = await within(stepMs, signal, late, (step) => session.send(FOLLOW_UP, step));
      return { ...one, second, unsent: null };
    } catch (error) {
      if (error instanceof AgentHungUp) return { ...one, second: null, unsent: null };
      if (!(error instanceof ProviderError) || signal.aborted) throw error;
      if (!isAdmitted) return { ...one, second: null, unsent: error.message };
      throw new ProviderError(
        error.code,
        `The agent replied to the first message, but not to the second: ${error.message}`,
      );
    }
  } finally {
    await session.close();
  }
}

/**
 * The config with fewer retries, and how long each step may take. The slot that its one message takes of `requests_per_minute` is
 * the one that a run would take: the budget is shared, and a slower pace that is only tried would hold up every run of the agent.
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

/** The error of a message that the harness itself held back: the agent was not asked. */
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

function trialWarnings(
  kind: string,
  config: AgentConfig,
  { reply, second, unsent, answers: [first = [], then = []] }: Tried,
): string[] {
  const nothingCarries = conversationWarning(kind, config);
  const id = second === null || givenValue(kind, config, 'session_id_path') ? null : differingId(first, then);
  const isSame = second !== null && second.content.trim() === reply.content.trim();
  return [
    ...(unsent === null ? [] : [`A second message was not sent. ${unsent}`]),
    ...(id !== null && (nothingCarries !== null || (id.isNamedSo && sendsSession(config)))
      ? [
          `${id.path} looks like an id and differs between the answers to two messages of one conversation: set session_id_path to ${id.path}, and put {{session_id}} where the agent takes it in body, url or headers.`,
        ]
      : []),
    ...(nothingCarries === null ? [] : [nothingCarries]),
    ...(isSame ? ['The agent said the same to both messages: it may not know which conversation they belong to.'] : []),
  ];
}

function answerOf({ reply, second, greeting, session }: Tried, warnings: string[]): TriedAgent {
  const { content, latencyMs, metadata } = reply;
  return {
    ok: true,
    reply: content,
    greeting,
    latency_ms: latencyMs,
    follow_up: second && { message: FOLLOW_UP, reply: second.content, latency_ms: second.latencyMs },
    warnings,
    metadata: { ...metadata, ...session.metadata() },
  };
}
