import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createLog } from '../../src/config/log';
import { createPatientDataSource } from '../../src/persistence/data-source';
import { migrate } from '../../src/persistence/migrate';
import { monotonicMs } from '../clock';
import { percentile } from '../statistics';
import { fillLoudly, startServer, withClient } from './filled-server';
import { loadNow, milliseconds, type ReportTable } from './table';
import type { Template } from './template';

export const UPGRADE_HEADINGS = ['what', 'measured', 'goal', 'met', 'load'];

/** The last step of the release that is upgraded from, by its time. */
export const LAST_OLD_STEP = 1_733_201_000_000;
const LONGEST_STALL_MS = 1_000;
const WRITERS = 4;
/** Before the first step and after the last one, to know what a write takes otherwise. */
const SETTLE_MS = 2_000;

/** The tables as the earlier release left them, with as many runs, are brought up to date while writers of that release go on. */
export async function measureUpgrade(
  dataDir: string,
  template: Template,
  runs: number,
  table: ReportTable,
): Promise<void> {
  const server = await startServer(dataDir);
  try {
    await migrateAsBefore(server.url);
    await fillLoudly(server.url, template, { runs, days: 90, agents: 20 });
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => Writer.open(server.url)));
    await sleep(SETTLE_MS);
    const undisturbed = longest(writers);
    const began = monotonicMs();
    await migrate({ url: server.url, log: createLog('warn') });
    const tookMs = monotonicMs() - began;
    await sleep(SETTLE_MS);
    for (const writer of writers) await writer.stop();
    const stall = longest(writers);
    const writes = writers.flatMap(({ tookMs: each }) => each);
    table.add(`steps after ${LAST_OLD_STEP}, ${runs.toLocaleString('en')} runs: all of them`, milliseconds(tookMs), '–', '–', loadNow());
    table.add(
      `the longest wait of ${WRITERS} writers meanwhile (${writes.length.toLocaleString('en')} turns; before it ${milliseconds(undisturbed)}, p99 ${milliseconds(percentile(writes, 99))})`,
      milliseconds(stall),
      milliseconds(LONGEST_STALL_MS),
      stall <= LONGEST_STALL_MS ? 'yes' : 'no',
      loadNow(),
    );
  } finally {
    await server.stop();
  }
}

function longest(writers: readonly Writer[]): number {
  return percentile(writers.flatMap(({ tookMs }) => tookMs), 100);
}

async function migrateAsBefore(url: string): Promise<void> {
  const dataSource = createPatientDataSource({ url, poolSize: 2, onPoolError: () => undefined });
  await dataSource.initialize();
  try {
    const { migrations } = dataSource;
    const known = migrations.filter(({ name = '' }) => Number(name.slice(-13)) <= LAST_OLD_STEP);
    migrations.splice(0, migrations.length, ...known);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** Stores run after run, turn after turn, with the statements of the earlier release, and notes how long each turn waited. */
class Writer {
  readonly tookMs: number[] = [];
  private stopping = false;
  private readonly ended: Promise<void>;

  private constructor(private readonly client: Client) {
    this.ended = this.write();
  }

  static async open(url: string): Promise<Writer> {
    const client = new Client({ connectionString: url });
    await client.connect();
    return new Writer(client);
  }

  /** @throws the error of a write that was refused */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.ended;
    await this.client.end();
  }

  private async write(): Promise<void> {
    while (!this.stopping) {
      const began = monotonicMs();
      const [run, row, owner] = [randomUUID(), randomUUID(), randomUUID()];
      await this.begin(run, row, owner);
      this.tookMs.push(monotonicMs() - began);
      for (let turn = 1; turn <= 20 && !this.stopping; turn += 1) {
        const sentAt = monotonicMs();
        await this.record(run, row, owner, turn);
        this.tookMs.push(monotonicMs() - sentAt);
      }
    }
  }

  private async begin(run: string, row: string, owner: string): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query(
      `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns, concurrency_limit,
         pass_threshold, started_at, attempt, owner, heartbeat_at)
       VALUES ($1, $2, 'running', gen_random_uuid(), 'Agent', 'openai', 1, 20, 6, 50, now(), 1, $3, now())`,
      [run, `run_${run}`, owner],
    );
    await this.client.query(
      `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario, status, attempt, owner, heartbeat_at)
       VALUES ($1, $2, gen_random_uuid(), 1, 'Scenario', '{}', 'running', 1, $3, now())`,
      [row, run, owner],
    );
    await this.client.query('COMMIT');
  }

  private async record(run: string, row: string, owner: string, turn: number): Promise<void> {
    const now = new Date().toISOString();
    const change = {
      ...{ ord: 1, id: row, test_run_id: run, attempt: 1, owner, allowed_from: ['running'], turn, latency_ms: 1, turn_metadata: {} },
      ...{ patient_message: SAID, patient_at: now, agent_message: SAID, agent_at: now },
      event_types: ['transcript_update'],
      event_settled: [null],
      event_fields: [JSON.stringify({ type: 'transcript_update', scenario_run_id: row, turn })],
    };
    const { rows } = await this.client.query<{ is_applied: boolean | null }>(
      'SELECT is_applied FROM record_scenario_changes_5($1::uuid[], $2::uuid[], $3::json, 0)',
      [[run], [row], JSON.stringify([change])],
    );
    if (rows[0]?.is_applied !== true) throw new Error('A turn of the earlier release was refused.');
  }
}

const SAID = 'As long as people write when they describe what they feel, which is about a line and a half of text on a page.';

/** How many runs there are once the service of today looks at the upgraded tables. */
export async function countRuns(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ runs: number }>('SELECT count(*)::int AS runs FROM test_runs');
    return rows[0]?.runs ?? 0;
  });
}
