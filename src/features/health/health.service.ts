import { Injectable } from '@nestjs/common';
import { ServiceProcesses } from '../../engine/actors/service-processes';
import { Bus } from '../../engine/bus/bus';
import { Remembered } from '../../platform/concurrency/remembered';
import { Settings } from '../../platform/config/settings';
import { VERSION } from '../../platform/config/version';
import { Judge } from '../../examiners/judge/judge';
import { listNames } from '../../domain/sentence';
import { AgentsStore } from '../agents/agents.store';
import { Database } from '../../platform/database/database';
import { ProviderRegistry } from '../../agents/registry';
import { ModelSpend } from '../../examiners/model/model-spend';
import { Tester } from '../../examiners/tester/tester';
import { familyWarning, type NamedModel } from './examiner-families';
import type { HealthCheck, HealthView } from './health.view';
import { CHECK_WITHIN_MS, inTime } from './in-time';

/** However many ask, and anybody may: agents' configs and what was spent are read no more often. */
const FRESH_MS = 5_000;
/** Of agents' models, looked at for their families. */
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

  /** Another process without a way to hear this one is no outage: what it does is found in the rows. */
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
      ...(this.settings.serviceKeys.length === 0 && {
        SERVICE_API_KEY: 'Set SERVICE_API_KEY before anyone but you can reach this service.',
      }),
    };
  }
}
