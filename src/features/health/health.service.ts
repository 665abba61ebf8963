import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ProviderRegistry } from '../../agents';
import { listNames } from '../../domain';
import { ActorsLifecycle, ServiceProcesses } from '../../engine/actors';
import { Bus } from '../../engine/bus';
import { Judge } from '../../examiners/judge';
import { familyOf, ModelSpend } from '../../examiners/model';
import { Tester } from '../../examiners/tester';
import { Remembered } from '../../platform/concurrency';
import { Settings, VERSION } from '../../platform/config';
import { Database } from '../../platform/database';
import { AgentsStore } from '../agents/agents.store';
import type { HealthCheck, HealthView, ReadyView } from '../../../contract/health';

/** A server that takes longer to answer, or to write one row, is out of reach for clients too. */
const CHECK_WITHIN_MS = 2_000;

/** What was asked for, or `late` when it takes longer than a check may. Rejects as the question does. */
async function inTime<Value>(asked: Promise<Value>, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(late), CHECK_WITHIN_MS);
  });
  return Promise.race([asked, timeout]).finally(() => clearTimeout(timer));
}

/** Anybody may ask, and any number of callers: agents' configs and what was spent are read no more often than this. */
const FRESH_MS = 5_000;
/** The most agents' models that are looked at for their families. */
const MOST_AGENT_MODELS = 200;
const SPEND_UNKNOWN: HealthCheck = { status: 'warning', detail: "Today's spend could not be read." };

/** Whether the service can do its work, and what its operator may want to set up. */
@Injectable()
export class HealthService {
  private readonly agentModels: Remembered<readonly NamedModel[]>;
  /** Null: there is no limit. */
  private readonly spending: Remembered<HealthCheck> | null;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly tester: Tester,
    private readonly judge: Judge,
    private readonly providers: ProviderRegistry,
    private readonly spend: ModelSpend,
    private readonly processes: ServiceProcesses,
    agents: AgentsStore,
  ) {
    this.agentModels = new Remembered(() => agents.namedModels(MOST_AGENT_MODELS).catch(() => []), FRESH_MS);
    const { limit } = spend;
    this.spending = limit === null ? null : new Remembered(() => this.checkSpend(limit), FRESH_MS);
  }

  async examine(): Promise<HealthView> {
    const database = await this.checkDatabase();
    const answers = database.status === 'ok';
    const [examiners, spend] = await Promise.all([
      answers ? this.checkExaminers() : null,
      this.spending === null ? null : answers ? inTime(this.spending.get(), SPEND_UNKNOWN) : SPEND_UNKNOWN,
    ]);
    const checks = {
      database,
      bus: this.checkBus(),
      tester: this.tester.health,
      judge: this.judge.health,
      ...(examiners !== null && { examiners }),
      browser: this.checkBrowser(),
      ...(spend !== null && { spend }),
    };
    const isWorking = checks.database.status !== 'error' && checks.bus.status !== 'error';
    return {
      status: isWorking ? 'ok' : 'error',
      timestamp: new Date().toISOString(),
      version: VERSION,
      checks,
      setup: this.setup(),
    };
  }

  /** Processes that cannot hear each other are no outage: they find in the rows what the others do. */
  private checkBus(): HealthCheck {
    const status = this.bus.status();
    const { unheard } = this.processes;
    if (status.status === 'error' || unheard === 0) return status;
    const [others, cannot, their] =
      unheard === 1
        ? ['1 other process works', 'it and this one', 'its']
        : [`${unheard} other processes work`, 'they and this one', 'their'];
    return {
      status: 'warning',
      detail:
        `${others} on this database, and ${cannot} cannot hear each other: cancellations, events and what is handed over are ` +
        `found in the database, up to seconds late, and ${their} actors cannot be inspected from here. ` +
        'Set NATS_URL for all of them, or stop all but one.',
    };
  }

  /** Whether it answers and accepts writes. In bounded time, and never rejects. */
  async checkDatabase(): Promise<HealthCheck> {
    const detail = `PostgreSQL did not answer within ${CHECK_WITHIN_MS / 1_000} seconds.`;
    const answered = this.database.probe().then(
      (): HealthCheck => ({
        status: 'ok',
        detail: this.database.exclusive
          ? 'The embedded PostgreSQL answers and accepts writes.'
          : 'PostgreSQL answers and accepts writes.',
      }),
      (error: unknown): HealthCheck => ({ status: 'error', detail: this.database.explain(error) }),
    );
    return inTime(answered, { status: 'error', detail });
  }

  /** Null while both are offline: they say so themselves. */
  private async checkExaminers(): Promise<HealthCheck | null> {
    const { tester, judge } = this;
    if (tester.model === null && judge.model === null) return null;
    const agents = await inTime(this.agentModels.get(), []);
    const warning = familyWarning(tester.model, judge.model, agents);
    if (warning !== null) return { status: 'warning', detail: warning };
    const allowed = this.settings.examiners.allowed.map(({ name }) => name);
    return { status: 'ok', detail: `Runs may ask for ${listNames(allowed)}.` };
  }

  private async checkSpend(limit: number): Promise<HealthCheck> {
    try {
      const [spent, reached] = await Promise.all([this.spend.today(), this.spend.reached()]);
      if (reached !== null) return { status: 'warning', detail: reached.sentence };
      return { status: 'ok', detail: `$${spent.toFixed(2)} of $${limit.toFixed(2)} spent today (UTC).` };
    } catch {
      return SPEND_UNKNOWN;
    }
  }

  private checkBrowser(): HealthCheck {
    const availability = this.providers.find('browser')?.availability();
    if (availability?.available === true) {
      const { isLimited = false, detail = 'Browser agents can be examined.' } = availability;
      return { status: isLimited ? 'warning' : 'ok', detail };
    }
    return { status: 'warning', detail: availability?.reason ?? 'Browser agents cannot be examined.' };
  }

  private setup(): Record<string, string> {
    const isOffline = this.tester.name === 'offline' || this.judge.name === 'offline';
    return {
      ...(isOffline && {
        ANTHROPIC_API_KEY:
          'Set ANTHROPIC_API_KEY to have patients played and transcripts judged by a language model, or name models of ' +
          'another server in TESTER_MODEL and JUDGE_MODEL.',
      }),
      ...(this.settings.secretsKeys.length === 0 && {
        SECRETS_KEY:
          "Set SECRETS_KEY (as of: openssl rand -base64 32) to have agents' configs and webhooks' secrets encrypted in the database.",
      }),
      ...(!this.settings.isGuarded && {
        SERVICE_API_KEY: 'Set SERVICE_API_KEY before anyone but you can reach this service.',
      }),
    };
  }
}

interface NamedModel {
  readonly agent: string;
  readonly model: string;
}

/**
 * Models judge their own kind more kindly (Panickssery and others, "LLM Evaluators Recognize and Favor Their Own Generations", 2024),
 * and a patient of the same kind asks what its kind likes to be asked. One sentence about it; null when there is nothing to warn of.
 */
function familyWarning(tester: string | null, judge: string | null, agents: readonly NamedModel[]): string | null {
  const family = judge === null ? null : familyOf(judge);
  if (family === null) return null;
  const related = agents.filter(({ model }) => familyOf(model) === family).map(({ agent }) => agent);
  if (related.length === 0) return null;
  const examiners = tester !== null && familyOf(tester) === family ? 'Patient, judge' : 'The judge';
  const agentNames = `${related.length === 1 ? 'the agent' : 'the agents'} ${listNames(related)}`;
  return (
    `${examiners} and ${agentNames} are of one model family (${family}): models favour their own kind. ` +
    'Name a judge of another family in JUDGE_MODEL, or as judge_model of a run.'
  );
}

/** However many probe: the database is asked no more often. */
const READINESS_FRESH_MS = 1_000;

const OK: HealthCheck = { status: 'ok', detail: 'The process has started.' };
const STARTING: HealthCheck = {
  status: 'error',
  detail: 'The process is still taking over the runs that nobody supervises.',
};
const STOPPING: HealthCheck = {
  status: 'error',
  detail: 'The process is stopping: it ends or gives back what it has begun.',
};

/** Whether this process should get traffic. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private isStopping = false;
  private readonly database: Remembered<HealthCheck>;

  constructor(
    health: HealthService,
    private readonly bus: Bus,
    private readonly actors: ActorsLifecycle,
  ) {
    this.database = new Remembered(() => health.checkDatabase(), READINESS_FRESH_MS);
  }

  /** The first that Nest does when the application is closed. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  async examine(): Promise<ReadyView> {
    if (this.isStopping) return { status: 'error', checks: { process: STOPPING } };
    const database = await this.database.get();
    const process = this.isStopping ? STOPPING : this.actors.hasStarted ? OK : STARTING;
    const checks = { process, database, bus: this.bus.status() };
    const isReady = Object.values(checks).every(({ status }) => status !== 'error');
    return { status: isReady ? 'ok' : 'error', checks };
  }
}
