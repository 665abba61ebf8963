import { z } from 'zod';
import { oneLine } from '../cli/output/harmless-text';
import { DemoFailure } from './demo-failure';
import { scenarioRunView, transcriptEntry } from '../contract/scenario-runs';
import { testRunView } from '../contract/test-runs';

const agent = z.object({ id: z.string(), name: z.string() });
const scenario = z.object({
  scenario_id: z.string(),
  name: z.string(),
  category: z.string(),
  scenario_type: z.string(),
  content: z.record(z.string(), z.unknown()),
});
const started = z.object({ id: z.string(), test_run_id: z.string(), total_scenarios: z.number() });
const conversation = scenarioRunView.extend({ transcript: z.array(transcriptEntry) });
const refusal = z.object({ error: z.string() });

export type Agent = z.infer<typeof agent>;
export type Scenario = z.infer<typeof scenario>;
export type StartedRun = z.infer<typeof started>;
export type TestRun = z.infer<typeof testRunView>;
export type Conversation = z.infer<typeof conversation>;
export type ScenarioRun = z.infer<typeof scenarioRunView>;

/** As POST /start-run takes it. */
export interface WantedRun {
  readonly agent_id: string;
  readonly scenario_ids: readonly string[];
  readonly name: string;
  readonly modality?: 'spoken';
  readonly spoken?: { readonly line: 'phone'; readonly seed: number };
}

/** As POST /api/v1/agents takes it. */
export interface NewAgent {
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly config: object;
}

const ANSWERS_WITHIN_MS = 15_000;

/** The calls that the demonstration makes to a running service. Every call throws a DemoFailure when it is refused or not answered. */
export class ServiceApi {
  /** @param url without a slash at the end */
  constructor(
    readonly url: string,
    private readonly signal: AbortSignal,
  ) {}

  agents(): Promise<Agent[]> {
    return this.ask('GET', '/api/v1/agents', z.array(agent));
  }

  async scenarios(): Promise<Scenario[]> {
    return (await this.ask('GET', '/api/v1/scenarios', z.object({ scenarios: z.array(scenario) }))).scenarios;
  }

  async changeContent(scenarioId: string, content: Scenario['content']): Promise<void> {
    await this.ask('PATCH', `/api/v1/scenarios/${scenarioId}`, z.unknown(), { content });
  }

  createAgent(fields: NewAgent): Promise<Agent> {
    return this.ask('POST', '/api/v1/agents', agent, fields);
  }

  startRun(wanted: WantedRun): Promise<StartedRun> {
    return this.ask('POST', '/start-run', started, wanted);
  }

  testRun(id: string): Promise<TestRun> {
    return this.ask('GET', `/api/v1/tests/${id}`, testRunView);
  }

  async scenarioRuns(testRunId: string): Promise<ScenarioRun[]> {
    const query = new URLSearchParams({ test_run_id: testRunId, limit: '100' }).toString();
    return (await this.ask('GET', `/api/v1/scenario-runs?${query}`, z.object({ results: z.array(scenarioRunView) })))
      .results;
  }

  /** A conversation with what was said, and when. */
  conversation(scenarioRunId: string): Promise<Conversation> {
    return this.ask('GET', `/api/v1/scenario-runs/${scenarioRunId}`, conversation);
  }

  /** Whether the service has a page for a browser. */
  async hasPage(): Promise<boolean> {
    const response = await this.fetch('GET', '/');
    await response.text();
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
  }

  private async ask<T>(method: string, path: string, shape: z.ZodType<T>, body?: object): Promise<T> {
    const response = await this.fetch(method, path, body);
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) {
      const { data } = refusal.safeParse(answer);
      throw new DemoFailure(
        `${method} ${path} was refused with ${response.status}: ${oneLine(data?.error ?? 'no reason')}`,
      );
    }
    const parsed = shape.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new DemoFailure(`${method} ${path} returned an unexpected shape: ${z.prettifyError(parsed.error)}`);
  }

  private async fetch(method: string, path: string, body?: object): Promise<Response> {
    const deadline = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    try {
      return await fetch(this.url + path, {
        method,
        // Both signals live about as long as the demonstration.
        signal: AbortSignal.any([this.signal, deadline]),
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
    } catch (error) {
      this.signal.throwIfAborted();
      throw new DemoFailure(`${method} ${path} was not answered.`, { cause: error });
    }
  }
}
