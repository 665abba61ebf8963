import { Agent } from 'undici';
import { z } from 'zod';

const created = z.object({ id: z.string() });
const createdScenario = z.object({ scenario_id: z.string() });
const started = z.object({ id: z.string(), status: z.string(), total_scenarios: z.int() });
const scenarioList = z.object({ total: z.int() });

export interface RunRequest {
  readonly agentId: string;
  readonly scenarioIds: readonly string[];
  readonly turns: number;
  readonly concurrency: number;
}

export interface NewScenario {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Creations under way at a time, while a load is prepared. */
const PARALLEL = 16;

/** The calls of the bench to the service, over HTTP as of any client. */
export class ServiceClient {
  private readonly agent = new Agent({ connections: PARALLEL, bodyTimeout: 0, headersTimeout: 0 });

  constructor(readonly url: string) {}

  async isHealthy(): Promise<boolean> {
    const status = await this.agent
      .request({ origin: this.url, path: '/health', method: 'GET' })
      .then(async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      })
      .catch(() => 0);
    return status === 200;
  }

  /** An OpenAI-compatible agent at this address. */
  async createAgent(baseUrl: string): Promise<string> {
    return this.register({ provider: 'openai', config: { base_url: baseUrl, max_retries: 0 } });
  }

  /** The new agent's UUID. */
  async register(agent: { readonly provider: string; readonly config: object }): Promise<string> {
    return created.parse(JSON.parse(await this.post('/api/v1/agents', { name: 'Bench agent', ...agent }))).id;
  }

  async createScenarios(scenarios: readonly NewScenario[]): Promise<string[]> {
    const ids: string[] = [];
    for (let from = 0; from < scenarios.length; from += PARALLEL) {
      const batch = scenarios.slice(from, from + PARALLEL).map(async (scenario) => {
        return createdScenario.parse(JSON.parse(await this.post('/api/v1/scenarios', scenario))).scenario_id;
      });
      ids.push(...(await Promise.all(batch)));
    }
    return ids;
  }

  async countScenarios(): Promise<number> {
    return scenarioList.parse(JSON.parse(await this.get('/api/v1/scenarios'))).total;
  }

  /** The run's UUID. */
  async startRun({ agentId, scenarioIds, turns, concurrency }: RunRequest): Promise<string> {
    const body = {
      agent_id: agentId,
      scenario_ids: scenarioIds,
      max_turns: turns,
      concurrency_limit: concurrency,
    };
    return started.parse(JSON.parse(await this.post('/start-run', body))).id;
  }

  async cancelRun(runId: string): Promise<void> {
    await this.post('/cancel-run', { test_run_id: runId });
  }

  /** The body of a 200. */
  get(path: string): Promise<string> {
    return this.send('GET', path, null);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private post(path: string, body: object): Promise<string> {
    return this.send('POST', path, JSON.stringify(body));
  }

  private async send(method: 'GET' | 'POST', path: string, body: string | null): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const response = await this.agent.request({ origin: this.url, path, method, headers, body });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`);
    return text;
  }
}
