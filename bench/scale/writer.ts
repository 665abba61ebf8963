import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { monotonicMs } from '../clock';

/** Stores run after run, turn after turn, with the ledger's statements, and records how long each turn waited. */
export class Writer {
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
      ...{
        ord: 1,
        id: row,
        test_run_id: run,
        attempt: 1,
        owner,
        allowed_from: ['running'],
        turn,
        latency_ms: 1,
        turn_metadata: {},
      },
      ...{ patient_message: ASKED, patient_at: now, agent_message: REPLIED, agent_at: now },
      event_types: ['transcript_update'],
      event_settled: [null],
      event_fields: [JSON.stringify({ type: 'transcript_update', scenario_run_id: row, turn })],
    };
    const { rows } = await this.client.query<{ is_applied: boolean | null }>(
      'SELECT is_applied FROM record_scenario_changes_5($1::uuid[], $2::uuid[], $3::json, 0)',
      [[run], [row], JSON.stringify([change])],
    );
    if (rows[0]?.is_applied !== true) throw new Error('A turn was refused.');
  }
}

/** Texts as long as those of patients and agents: some 110 and 550 characters. */
const ASKED =
  'As long as people write when they describe what they feel, which is about a line and a half of text on a page.';
const REPLIED = `${ASKED} `.repeat(5);
