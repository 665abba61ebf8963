import { Injectable } from '@nestjs/common';
import { Bus } from '../bus/bus';
import { Settings } from '../config/settings';
import { VERSION } from '../config/version';
import { Judge } from '../judge/judge';
import { listNames } from '../../machines/sentence';
import { AgentsStore } from '../persistence/agents.store';
import { Database } from '../persistence/database';
import { ProviderRegistry } from '../providers/registry';
import { ModelSpend } from '../model/model-spend';
import { Tester } from '../tester/tester';
import { familyWarning } from './examiner-families';
import type { HealthCheck, HealthView } from './health.view';

/** A server that takes longer to answer, or to write one row, is out of reach for clients too. */
const CHECK_WITHIN_MS = 2_000;
/** Of agents' models, looked at for their families. */
const MOST_AGENT_MODELS = 200;

/** Whether the service can do its work, and what its operator may want to set up. */
@Injectable()
export class HealthService {
  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly tester: Tester,
    private readonly judge: Judge,
    private readonly providers: ProviderRegistry,
    private readonly spend: ModelSpend,
    private readonly agents: AgentsStore,
  ) {}

  async examine(): Promise<HealthView> {
    const database = await this.checkDatabase();
    const examiners = database.status === 'ok' ? await this.checkExaminers() : null;
    const checks = {
      database,
      bus: this.bus.status(),
      tester: this.tester.health,
      judge: this.judge.health,
      ...(examiners !== null && { examiners }),
      browser: this.checkBrowser(),
      ...(this.spend.limit !== null && { spend: await this.checkSpend(this.spend.limit) }),
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

  /** Whether it answers and accepts writes. In bounded time, and never rejects. */
  async checkDatabase(): Promise<HealthCheck> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HealthCheck>((resolve) => {
      const detail = `PostgreSQL did not answer within ${CHECK_WITHIN_MS / 1_000} seconds.`;
      timer = setTimeout(() => resolve({ status: 'error', detail }), CHECK_WITHIN_MS);
    });
    const answered = this.database.probe().then(
      (): HealthCheck => ({
        status: 'ok',
        detail: this.database.exclusive
          ? 'The embedded PostgreSQL answers and accepts writes.'
          : 'PostgreSQL answers and accepts writes.',
      }),
      (error: unknown): HealthCheck => ({ status: 'error', detail: this.database.explain(error) }),
    );
    return Promise.race([answered, late]).finally(() => clearTimeout(timer));
  }

  /** Null while both are offline: they say so themselves. */
  private async checkExaminers(): Promise<HealthCheck | null> {
    const { tester, judge } = this;
    if (tester.model === null && judge.model === null) return null;
    const agents = await this.agents.namedModels(MOST_AGENT_MODELS).catch(() => []);
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
      return { status: 'warning', detail: "Today's spend could not be read." };
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
