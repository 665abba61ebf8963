import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { Cluster, type ClusterOptions } from './cluster';
import { expectWhole, replyTo } from './expectations';

export const SCENARIOS = 36;
export const TURNS = 5;
export const CONCURRENCY = 12;

/** One run of 36 scenarios on a cluster, against an agent that takes a quarter of a second for an answer. */
export class Examination {
  /** Most requests that the agent had open at the same time. */
  peak = 0;
  /** When each request was answered, in milliseconds of the monotonic clock. */
  readonly answeredAt: number[] = [];

  private constructor(
    readonly cluster: Cluster,
    readonly agent: FakeAgent,
  ) {}

  static async start(options: ClusterOptions): Promise<Examination> {
    const agent = await startFakeOpenAi({
      delayMs: 250,
      reply: (messages) => {
        examination?.noteAnswer();
        return replyTo((messages.length + 1) / 2);
      },
    });
    let examination: Examination | undefined;
    try {
      examination = new Examination(await Cluster.start(options), agent);
      return examination;
    } catch (error) {
      await agent.close();
      throw error;
    }
  }

  /** Starts a run on the first process. */
  async startRun(fields: object = {}, config: object = {}): Promise<string> {
    const { api } = this.cluster.process(0);
    const agent_id = await createAgent(api, this.agent.baseUrl, config);
    const scenario_ids = await createScenarios(api, SCENARIOS);
    const { status, body } = await api.post('/start-run', {
      agent_id,
      scenario_ids,
      concurrency_limit: CONCURRENCY,
      max_turns: TURNS,
      ...fields,
    });
    if (status !== 200) throw new Error(`The run was not started: ${JSON.stringify(body)}`);
    return String(body.id);
  }

  /** Resolves when the run has so many turns in its rows. */
  async untilTurns(id: string, turns: number): Promise<void> {
    await eventually(async () => {
      const [row] = await this.cluster.query<{ turns: number }>(
        'SELECT coalesce(sum(turns), 0)::int AS turns FROM scenario_runs WHERE test_run_id = $1',
        [id],
      );
      expect(row?.turns).toBeGreaterThanOrEqual(turns);
    }, 60_000);
  }

  /** How many processes own scenario runs that are under way. */
  async countOwners(id: string): Promise<number> {
    const rows = await this.cluster.query(
      `SELECT DISTINCT owner FROM scenario_runs
       WHERE test_run_id = $1 AND owner IS NOT NULL AND status IN ('running', 'grading')`,
      [id],
    );
    return rows.length;
  }

  /** How many scenario runs were taken over by another attempt. */
  async countTakenOver(id: string): Promise<number> {
    const rows = await this.cluster.query('SELECT id FROM scenario_runs WHERE test_run_id = $1 AND attempt > 1', [id]);
    return rows.length;
  }

  /** Waits on one process for the end of the run, and looks on another at what it left. */
  async expectWhole(id: string, { waitOn, lookOn }: { waitOn: number; lookOn: number }): Promise<void> {
    await untilFinal(this.cluster.process(waitOn).api, id, 90_000);
    await expectWhole(this.cluster.process(lookOn).api, id, SCENARIOS, TURNS);
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.agent.close();
  }

  private noteAnswer(): void {
    this.peak = Math.max(this.peak, this.agent.inFlight);
    this.answeredAt.push(performance.now());
  }
}
