import { randomUUID } from 'node:crypto';
import { ActorTimes } from '../../../src/engine/actors/actor-times';
import { ServiceProcesses } from '../../../src/engine/actors/service-processes';
import type { BusName } from '../../../src/engine/bus';
import { ProcessId } from '../../../src/engine/actors/process-id';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { ProcessesStore, type OfferedExaminer } from '../../../src/engine/actors/processes.store';
import { offlineExaminers } from '../../setup/offline-examiner-selection';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';

const times = new ActorTimes();
const threads = openTextThreads();
let runs: StoredRuns;
let store: ProcessesStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  store = new ProcessesStore(runs.database);
});
afterAll(() => runs.close());
beforeEach(() => runs.database.query('DELETE FROM processes'));

const MODEL = { asked: 'openai/judge-2', name: 'openai', model: 'judge-2', prompt_version: 'v1' };
const OFFLINE: OfferedExaminer = { asked: null, name: 'offline', model: null, prompt_version: null };

function beat(id: string, bus: BusName = 'in_process', judges = [OFFLINE]): Promise<number> {
  return store.beat({ id, bus, testers: [OFFLINE], judges });
}

/** As if this had been said so many seconds ago. */
async function age(id: string, seconds: { started?: number; seen?: number }): Promise<void> {
  await runs.database.query(
    `UPDATE processes SET started_at = started_at - make_interval(secs => $2), seen_at = seen_at - make_interval(secs => $3)
     WHERE id = $1`,
    [id, seconds.started ?? 0, seconds.seen ?? 0],
  );
}

describe('a second process on the same database', () => {
  test.each<[BusName, BusName, number]>([
    ['in_process', 'in_process', 1],
    ['nats', 'in_process', 1],
    ['in_process', 'nats', 1],
    ['workers here 1', 'workers here 1', 0],
    ['workers here 1', 'workers here 2', 1],
    ['workers here 1', 'nats', 1],
    ['nats', 'nats', 0],
  ])('with bus %s beside one with bus %s is unheard of: %i', async (bus, others, unheard) => {
    const [first, second] = [randomUUID(), randomUUID()];
    await beat(first, others);
    await beat(second, bus);
    await age(first, { started: 100 });
    await age(second, { started: 100 });
    await beat(first, others);
    expect(await beat(second, bus)).toBe(unheard);
  });

  test('is not there when it was killed before this one started, nor while this one takes its place', async () => {
    const [killed, leaving, next] = [randomUUID(), randomUUID(), randomUUID()];
    await beat(killed);
    await age(killed, { seen: 5 });
    await beat(leaving);
    expect(await beat(next)).toBe(0);
    await age(next, { started: 20 });
    await beat(leaving);
    expect(await beat(next)).toBe(0);
    await age(next, { started: 20 });
    await age(killed, { seen: 40 });
    await beat(leaving);
    expect(await beat(next)).toBe(1);
  });

  test('is forgotten when it signs off, or falls silent for a lease', async () => {
    const [stopped, silent, here] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [here, stopped, silent]) await beat(id);
    await age(here, { started: 100 });
    expect(await beat(here)).toBe(2);
    await store.remove(stopped);
    expect(await beat(here)).toBe(1);
    await age(silent, { seen: 16 });
    expect(await beat(here)).toBe(0);
  });

  test('is said once, and once that it is gone', async () => {
    const lines: unknown[] = [];
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
    const processId = new ProcessId();
    const { testers, judges } = offlineExaminers(threads);
    const processes = new ServiceProcesses(settingsFrom({}), processId, testers, judges, store, times, log);
    const other = randomUUID();
    /** One round of its task. */
    const look = async () => {
      processes.start();
      await new Promise((resolve) => setImmediate(resolve));
      await processes.pause();
    };
    await look();
    await age(processId.value, { started: 100 });
    expect([processes.unheard, lines]).toEqual([0, []]);
    await beat(other);
    const warning = {
      msg: expect.stringMatching(/^Other processes work on this database without a bus .* set NATS_URL/),
      processes: 1,
    };
    for (let looks = 0; looks < 2; looks += 1) {
      await look();
      expect([processes.unheard, lines]).toEqual([1, [expect.objectContaining(warning)]]);
    }
    await store.remove(other);
    await look();
    expect(processes.unheard).toBe(0);
    expect(lines).toHaveLength(2);
    await processes.stop();
    expect(await runs.database.query('SELECT id FROM processes')).toEqual([]);
  });
});

describe('what a process says of itself', () => {
  const saidBy = async (environment: Record<string, string>, offered: Record<string, string> = environment) => {
    const processId = new ProcessId();
    const { testers, judges } = offlineExaminers(threads, settingsFrom(offered).examiners.allowed);
    const settings = settingsFrom(environment);
    const processes = new ServiceProcesses(settings, processId, testers, judges, store, times, silentLog);
    processes.start();
    await processes.pause();
    const [row] = await runs.database.query<{ testers: object[]; judges: object[]; bus: string }>(
      'SELECT bus, testers, judges FROM processes WHERE id = $1',
      [processId.value],
    );
    return row;
  };
  const ALLOWED = { ALLOWED_MODELS: 'openai/judge-2', EXAMINER_API_KEY: 'a-key' };

  test('is its bus, and the tester and judge that it has without being asked for one', async () => {
    const { judges } = offlineExaminers(threads);
    const { promptVersion } = judges.find(null) ?? {};
    expect(await saidBy({})).toEqual({
      bus: 'in_process',
      testers: [OFFLINE],
      judges: [{ ...OFFLINE, prompt_version: promptVersion }],
    });
  });

  test('names each model that a run may ask for, by the name that it is asked for by', async () => {
    const said = await saidBy(ALLOWED);
    const model = { asked: 'openai/judge-2', name: 'openai', model: 'judge-2', prompt_version: expect.any(String) };
    expect(said?.testers).toEqual([OFFLINE, model]);
    expect(said?.judges).toEqual([expect.objectContaining({ asked: null, name: 'offline' }), model]);
  });

  test('names none that it does not have', async () => {
    const said = await saidBy(ALLOWED, {});
    expect([said?.testers.length, said?.judges.length]).toEqual([1, 1]);
  });
});

test('a process that cannot sign off stops all the same, and says why others find it by its silence', async () => {
  class AwayStore extends ProcessesStore {
    override remove(): Promise<never> {
      return Promise.reject(new Error('The database is away.'));
    }
  }
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(line) });
  const { testers, judges } = offlineExaminers(threads);
  const away = new AwayStore(runs.database);
  await new ServiceProcesses(settingsFrom({}), new ProcessId(), testers, judges, away, times, log).stop();
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'This process could not sign off; others find that by its silence',
      error: expect.objectContaining({ message: 'The database is away.' }),
    }),
  ]);
});

describe('an examiner that this process lacks', () => {
  const wanted = { testers: [{ asked: null }], judges: [MODEL] };
  function open() {
    const { testers, judges } = offlineExaminers(threads);
    return new ServiceProcesses(settingsFrom({}), new ProcessId(), testers, judges, store, times, silentLog);
  }

  test('is left to a process that lives and has it, however long that takes', async () => {
    const processes = open();
    const other = randomUUID();
    for (const now of [0, times.missedForMs * 10, times.missedForMs * 20]) {
      await beat(other, 'nats', [OFFLINE, MODEL]);
      expect(await processes.isLeftToOthers(wanted, now)).toBe(true);
    }
    expect(await processes.isLeftToOthers({ ...wanted, judges: [{ ...MODEL, prompt_version: 'v2' }] }, 0)).toBe(true);
    expect(
      await processes.isLeftToOthers({ ...wanted, judges: [{ ...MODEL, prompt_version: 'v2' }] }, times.missedForMs),
    ).toBe(false);
  });

  test('is waited for when nobody has it, and not longer than it was missed', async () => {
    const processes = open();
    const gone = randomUUID();
    await beat(gone, 'nats', [MODEL]);
    await age(gone, { seen: 16 });
    expect(await processes.isLeftToOthers(wanted, 1_000)).toBe(true);
    expect(await processes.isLeftToOthers(wanted, 1_000 + times.missedForMs - 1)).toBe(true);
    expect(await processes.isLeftToOthers(wanted, 1_000 + times.missedForMs)).toBe(false);
    // What was missed long ago says nothing of today.
    expect(await processes.isLeftToOthers(wanted, 1_000_000)).toBe(true);
  });

  test('is waited for anew when who asks has not asked for half a minute', async () => {
    const processes = open();
    expect(await processes.isLeftToOthers(wanted, 0)).toBe(true);
    expect(await processes.isLeftToOthers(wanted, 29_999)).toBe(false);
    expect(await processes.isLeftToOthers(wanted, 59_999)).toBe(true);
  });

  test('is waited for anew when a process that had it has gone', async () => {
    const processes = open();
    const other = randomUUID();
    expect(await processes.isLeftToOthers(wanted, 0)).toBe(true);
    await beat(other, 'nats', [OFFLINE, MODEL]);
    expect(await processes.isLeftToOthers(wanted, times.missedForMs - 1)).toBe(true);
    await store.remove(other);
    expect(await processes.isLeftToOthers(wanted, times.missedForMs)).toBe(true);
  });
});
