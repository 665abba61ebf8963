import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { Database } from '../../src/platform/database/database';
import { startHttpStub, type HttpStub, type Step, type StubRequest } from '../fakes/http-stub';
import { hang } from '../fakes/misbehaviour';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';

const RUNS = 6;
/** Attempts to one webhook at a time. */
const AT_ONCE = 2;

let testDatabase: TestDatabase;
let observer: Client;
let receiver: HttpStub;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  observer = new Client({ connectionString: testDatabase.url });
  await observer.connect();
  receiver = await startHttpStub((response) => response.writeHead(204).end());
  cleanups = [() => testDatabase.drop(), () => observer.end(), () => receiver.close()];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Ends so many runs, one after the other; answers the ids of what is to be told of them, none of it due. */
async function noteEnds(): Promise<string[]> {
  await observer.query(`INSERT INTO webhooks (url, events, secret) VALUES ($1, '{test_run.finished}', $2)`, [
    `${receiver.origin}/hook`,
    `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`,
  ]);
  const database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  const [id = ''] = await storeScenarios(database, ['Told']);
  const noted: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const ended = await storeGradedRun(database, [{ id, name: 'Told', outcomes: ['passed'] }], { status: 'running' });
    await observer.query(`UPDATE test_runs SET status = 'completed' WHERE id = $1`, [ended]);
    const { rows } = await observer.query<{ id: string }>(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day' WHERE test_run_id = $1 RETURNING id`,
      [ended],
    );
    noted.push(...rows.map((row) => row.id));
  }
  await database.close();
  return noted;
}

/** Has them due in the order in which they were noted. */
const makeDue = (noted: readonly string[]) =>
  observer.query(
    `UPDATE webhook_deliveries d SET next_attempt_at = now() - interval '1 hour' + make_interval(secs => place)
     FROM unnest($1::uuid[]) WITH ORDINALITY AS n (id, place) WHERE d.id = n.id`,
    [noted],
  );

async function idsWhere(condition: string): Promise<string[]> {
  const { rows } = await observer.query<{ id: string }>(`SELECT id FROM webhook_deliveries WHERE ${condition}`);
  return rows.map(({ id }) => id);
}

const idOf = ({ headers }: StubRequest): string => String(headers['webhook-id']);
const claimed = () => idsWhere('claim IS NOT NULL');
const delivered = () => idsWhere(`status = 'delivered'`);

/** Holds a lock until it is called, on a connection of its own. */
async function lock(table: string, mode: string): Promise<() => Promise<unknown>> {
  const client = new Client({ connectionString: testDatabase.url });
  await client.connect();
  cleanups.push(() => client.end());
  await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
  return () => client.query('COMMIT');
}

interface Phase {
  /** Resolves when the process is in the phase, with what to do once it is dead. */
  readonly reached: () => Promise<() => Promise<unknown>>;
  /** How often the receiver may see what the process had under way. */
  readonly times: readonly number[];
}

const nothing = () => Promise.resolve();

const PHASES: Readonly<Record<string, Phase>> = {
  'claimed them, and sent nothing': {
    // What is told of a run is read from it.
    reached: async () => {
      const unlock = await lock('test_runs', 'ACCESS EXCLUSIVE');
      return async () => {
        expect(receiver.requests).toEqual([]);
        await unlock();
      };
    },
    times: [1],
  },
  'sent them, and has no answer': {
    reached: () => {
      receiver.next(hang(), hang());
      return Promise.resolve(nothing);
    },
    times: [2],
  },
  'has their answers, and settled nothing': {
    reached: () => {
      let unlock: Promise<() => Promise<unknown>> | undefined;
      const answerLocked: Step = (response) => {
        unlock ??= lock('webhook_deliveries', 'EXCLUSIVE');
        void unlock.then(() => response.writeHead(204).end());
      };
      receiver.next(answerLocked, answerLocked);
      return Promise.resolve(async () => (await unlock)?.());
    },
    times: [1, 2],
  },
};

async function untilUnderWay(phase: string): Promise<void> {
  await eventually(async () => expect(await claimed()).toHaveLength(AT_ONCE));
  if (phase.startsWith('claimed')) return;
  await receiver.until(() => receiver.requests.length === AT_ONCE);
  if (phase.startsWith('sent')) return;
  await eventually(async () => {
    const { rowCount } = await observer.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE webhook_deliveries%'`,
    );
    expect(rowCount).toBe(AT_ONCE);
  });
}

/** What others deliver after the process has died, once its leases have ended. */
async function deliverTheRest(): Promise<void> {
  const services = await Promise.all([1, 2].map(() => startTestService({}, { database: testDatabase })));
  cleanups.push(() => Promise.all(services.map((service) => service.close())));
  await eventually(async () => expect(await delivered()).toHaveLength(RUNS));
}

/** Two at a time go to a webhook, so that neighbours may overtake each other, and nobody else. */
function expectInOrder(arrived: readonly string[], noted: readonly string[]): void {
  expect([...arrived].sort()).toEqual([...noted].sort());
  for (const [place, id] of noted.entries()) expect(Math.abs(arrived.indexOf(id) - place)).toBeLessThan(AT_ONCE);
}

function expectSameEachTime(): void {
  const bodies = new Map<string, string>();
  for (const request of receiver.requests) {
    const body = JSON.stringify(request.body);
    expect(bodies.get(idOf(request)) ?? body).toBe(body);
    bodies.set(idOf(request), body);
  }
}

describe('a process that is killed when it', () => {
  it.each(Object.keys(PHASES))('%s, leaves them to another one; the others arrive once, in order', async (name) => {
    const phase = PHASES[name];
    if (phase === undefined) throw new Error(`There is no phase ${name}.`);
    const noted = await noteEnds();
    const service = await startServiceProcess({ DATABASE_URL: testDatabase.url, LOG_LEVEL: 'warn' });
    cleanups.push(() => service.end('SIGKILL'));
    const release = await phase.reached();
    await makeDue(noted);
    await untilUnderWay(name);
    await service.end('SIGKILL');
    await release();

    const underWay = noted.slice(0, AT_ONCE);
    // What PostgreSQL had been given by then is done, or not; the leases that are left end now.
    await observer.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE claim IS NOT NULL`);
    await deliverTheRest();
    const arrived = receiver.requests.map(idOf);
    expect(new Set(arrived)).toEqual(new Set(noted));
    for (const id of underWay) expect(phase.times).toContain(arrived.filter((other) => other === id).length);
    expectInOrder(
      arrived.filter((id) => !underWay.includes(id)),
      noted.slice(AT_ONCE),
    );
    expectSameEachTime();
  });

  it('settled some, has none of those sent again', async () => {
    const noted = await noteEnds();
    const service = await startServiceProcess({ DATABASE_URL: testDatabase.url, LOG_LEVEL: 'warn' });
    cleanups.push(() => service.end('SIGKILL'));
    const settled = noted.slice(0, AT_ONCE);
    await makeDue(settled);
    await eventually(async () => expect(new Set(await delivered())).toEqual(new Set(settled)));
    await service.end('SIGKILL');
    await makeDue(noted.slice(AT_ONCE));
    await deliverTheRest();
    expectInOrder(receiver.requests.map(idOf), noted);
  });
});
