import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from '../../bench/process-usage';
import { startFakeOpenAi } from '../fakes/openai-server';
import { OsceProcess } from '../cluster/osce-process';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { CALLS_AMBULANCE, createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { eachAtOnce } from '../setup/at-once';
import { complaintOf } from './hostile-agents';
import { HealthWatch, STANDS_STILL_MS } from './health-watch';
import { LoopPauses, MOST_MS } from './loop-pauses';
import { SEED } from './rotation';

/** Of what takes seconds or minutes: asked more often, the service would mostly answer this. */
const LOOK_MS = 250;
const ORDINARY_WITHIN_MS = 60_000;

/** The built service in a process of its own, watched from outside while hostile things are done to it. */
export class ExaminedService {
  private readonly report: string[] = [];

  private constructor(
    private readonly process: OsceProcess,
    private readonly database: TestDatabase,
    private readonly pauses: LoopPauses,
    private readonly health: HealthWatch,
    readonly api: ApiClient,
  ) {}

  /**
   * @param mostHeapMb beyond which the process ends for want of memory, so that what it keeps cannot be mistaken for garbage
   * @param key of an admin, where the service asks for one
   */
  static async start(
    variables: Readonly<Record<string, string>> = {},
    { mostHeapMb, key }: { readonly mostHeapMb?: number; readonly key?: string } = {},
  ): Promise<ExaminedService> {
    const database = await createTestDatabase();
    const pauses = new LoopPauses();
    const { NODE_OPTIONS = '', ...watched } = pauses.environment;
    const memory = mostHeapMb === undefined ? '' : ` --max-old-space-size=${mostHeapMb}`;
    const process = await OsceProcess.start({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: NODE_OPTIONS + memory,
      ...watched,
      ...variables,
    });
    const service = new ExaminedService(
      process,
      database,
      pauses,
      new HealthWatch(process.url),
      new ApiClient(process.url, key === undefined ? {} : { 'x-api-key': key }),
    );
    // What is loaded and compiled on first use is no hostile agent's doing.
    await service.examineOrdinaryAgent();
    return service;
  }

  get url(): string {
    return this.process.url;
  }

  /** What it logged. */
  get output(): string {
    return this.process.output;
  }

  /**
   * Does something hostile, and looks whether the service is none the worse for it.
   * @param isExamined whether by an ordinary examination too: of many small things, one after all of them tells as much
   */
  async survives(what: string, act: () => Promise<void>, isExamined = true): Promise<void> {
    const began = Date.now();
    const workedMs = this.workedMs();
    const answersBefore = this.health.answers;
    await act();
    const pauses = this.pauses.since(began, this.process.pid);
    const seconds = [Date.now() - began, this.workedMs() - workedMs].map((ms) => (ms / 1_000).toFixed(1));
    this.report.push(`${what}: ${seconds[0]} s, ${seconds[1]} s of a processor; ${pauses}`);
    expect({ runs: this.process.isRunning, failures: this.failures(), output: this.faults }).toEqual({
      runs: true,
      failures: [],
      output: [],
    });
    await this.health.answersAfter(answersBefore);
    if (isExamined) await this.examineOrdinaryAgent();
  }

  /** Processor time of its threads so far; none of one that has ended. */
  private workedMs(): number {
    return this.process.isRunning ? usageOf(this.process.pid).processorMs : 0;
  }

  /** Of its health, but for what no process of a machine that stood still for most of the deadline could have answered. */
  private failures(): string[] {
    return this.health.failures
      .filter(
        ({ asked, failed, isTimeout }) => !isTimeout || this.pauses.ofMachine(asked, failed) < STANDS_STILL_MS / 2,
      )
      .map(({ what }) => what);
  }

  /**
   * The same, and no stretch of its event loop takes more than MOST_MS of processor time. What does is done once more: what is compiled or
   * collected for the first time, or by chance, does not happen twice.
   */
  async staysAwake(what: string, act: () => Promise<void>, isExamined = true): Promise<void> {
    const stretches: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const began = Date.now();
      await this.survives(what, act, isExamined);
      const ranMs = await this.pauses.longestSince(began, this.process.pid);
      if (ranMs === null || ranMs <= MOST_MS) return;
      stretches.push(`${what}: ${ranMs.toFixed(0)} ms of processor time in one stretch`);
    }
    expect(stretches).toEqual([]);
  }

  /** A scenario a name, whose patient opens with its number: the hostile agents go by that. */
  createCases(names: readonly string[]): Promise<string[]> {
    return eachAtOnce(names, async (name, number) => {
      const { body } = await this.api.post('/api/v1/scenarios', {
        name,
        approved: true,
        content: { script: 'It began two hours ago. You take aspirin.', chief_complaint: complaintOf(number) },
        rubric_criteria: [CALLS_AMBULANCE],
      });
      return String(body.scenario_id);
    });
  }

  /** Runs scenarios against an agent of any kind; answers the run when it is final. */
  async examine(
    provider: string,
    config: object,
    scenario_ids: readonly string[],
    withinMs: number,
    { max_turns = 5, concurrency_limit = 16 } = {},
  ): Promise<Answer['body']> {
    const agent = await this.api.post('/api/v1/agents', {
      name: `Hostile ${provider}`,
      provider,
      config: { max_retries: 0, ...config },
    });
    const { status, body } = await this.api.post('/start-run', {
      agent_id: agent.body.id,
      scenario_ids,
      max_turns,
      concurrency_limit,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return this.untilFinal(body.id, withinMs);
  }

  /** Polls a run that is long; answers it when it is final. */
  async untilFinal(id: string, withinMs: number): Promise<Answer['body']> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const { body } = await this.api.get(`/api/v1/tests/${id}`);
      if (['completed', 'failed', 'canceled'].includes(body.status)) return body;
      if (Date.now() > deadline) throw new Error(`The run is not final in time: ${JSON.stringify(body)}`);
      await sleep(LOOK_MS);
    }
  }

  /** An examination as it is every day, which everybody passes. */
  async examineOrdinaryAgent(): Promise<void> {
    const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    try {
      const agent_id = await createAgent(this.api, agent.baseUrl);
      const scenario_ids = await createScenarios(this.api, 1, { tags: ['ordinary'] });
      const { body } = await this.api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
      const run = await this.untilFinal(body.id, ORDINARY_WITHIN_MS);
      expect(run).toMatchObject({ status: 'completed', passed_count: 1 });
    } finally {
      await agent.close();
    }
  }

  async close(): Promise<void> {
    await this.health.stop();
    await this.process.end('SIGTERM');
    this.pauses.close();
    await this.database.drop();
    process.stdout.write(`\nThe event loop under hostile input, HOSTILE_SEED=${SEED}:\n${this.report.join('\n')}\n`);
  }

  /** Lines of the log that tell of something nobody foresaw. */
  private get faults(): string[] {
    return this.output
      .split('\n')
      .filter((line) => /"level":"?(error|fatal|50|60)"?[,}]|Warning: |^\s+at .*\(/.test(line))
      .map((line) => line.slice(0, 600));
  }
}
