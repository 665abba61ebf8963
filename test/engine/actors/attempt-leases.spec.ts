import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { instantNow, type TwoClockInstant } from '../../../src/engine/actors/two-clock-instant';
import { createLog } from '../../../src/platform/config/log';
import { OwnershipStore, type OwnedAttempt } from '../../../src/engine/ledger/ownership.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const { signal } = new AbortController();
/** Longer ago than an attempt may take its row for granted. */
const LONG_AGO_MS = 60_000;

class CountedLooks extends OwnershipStore {
  /** Of each look, how many attempts it asked about. */
  readonly looks: number[] = [];
  /** What happens between a row's answer and its arrival, look by look. */
  readonly meanwhile: (() => Promise<void> | void)[] = [];

  override async findLostAttempts(owner: string, attempts: readonly OwnedAttempt[]) {
    this.looks.push(attempts.length);
    const lost = await super.findLostAttempts(owner, attempts);
    await this.meanwhile.shift()?.();
    return lost;
  }
}

/** Leases by clocks that stand still until they are moved. */
class LeasesByHand extends AttemptLeases {
  clock = instantNow();

  protected override now(): TwoClockInstant {
    return this.clock;
  }

  pass({ steadyMs, wallMs }: TwoClockInstant): void {
    this.clock = { steadyMs: this.clock.steadyMs + steadyMs, wallMs: this.clock.wallMs + wallMs };
  }
}

/** Attempts of one process, which last saw themselves own their rows so long ago. */
async function attempts(count: number, seenMsAgo: number) {
  const run = await runs.createRun({ scenarios: count });
  const ownership = new CountedLooks(runs.database);
  const warnings: string[] = [];
  const log = createLog('warn', { write: (line) => warnings.push(line) });
  const leases = new LeasesByHand(ownership, runs.database, log);
  const owner = '5f0e4f4e-6f0c-4d0c-9d8e-0c6f3c8a1b2d';
  const { testRunId } = run;
  const began = await Promise.all(
    run.unsettled.map(async (scenarioRunId) => {
      const claim = await runs.claim(scenarioRunId, testRunId, owner);
      if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
      const ref = { scenarioRunId, testRunId, owner, attempt: claim.attempt };
      const { steadyMs, wallMs } = leases.clock;
      return leases.begin(ref, { steadyMs: steadyMs - seenMsAgo, wallMs: wallMs - seenMsAgo });
    }),
  );
  return { testRunId, ownership, leases, began, warnings };
}

describe('an outside call', () => {
  test('asks nobody while the row was seen to be the attempt’s a moment ago', async () => {
    const { ownership, began } = await attempts(1, 0);
    await began[0]?.assure(signal);
    expect(ownership.looks).toEqual([]);
  });

  test.each([
    [749, 0],
    [750, 1],
  ])('whose row was seen to be its own %i ms ago asks so many times: %i', async (seenMsAgo, looks) => {
    const { ownership, began } = await attempts(1, seenMsAgo);
    await began[0]?.assure(signal);
    expect(ownership.looks).toHaveLength(looks);
  });

  test('asks the rows when that is long ago, in one look with all others who ask meanwhile', async () => {
    const { ownership, began } = await attempts(3, LONG_AGO_MS);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
  });

  test('asks nobody when an older answer arrives after a newer one', async () => {
    const { ownership, leases, began } = await attempts(1, 0);
    const { steadyMs, wallMs } = leases.clock;
    began[0]?.confirm({ steadyMs: steadyMs - LONG_AGO_MS, wallMs: wallMs - LONG_AGO_MS });
    await began[0]?.assure(signal);
    expect(ownership.looks).toEqual([]);
  });

  test('asks nobody when a look at all rows of the process has confirmed the ownership', async () => {
    const { ownership, leases, began } = await attempts(3, LONG_AGO_MS);
    await leases.look(began);
    await Promise.all(began.map((lease) => lease.assure(signal)));
    expect(ownership.looks).toEqual([3]);
  });

  test('is not made for a row that was canceled, and the actor hears of it first', async () => {
    const { testRunId, began } = await attempts(1, LONG_AGO_MS);
    await runs.testRuns.cancel(testRunId);
    const heard: string[] = [];
    began[0]?.onLoss((loss) => heard.push(loss));
    await expect(began[0]?.assure(signal)).rejects.toThrow('canceled');
    expect(heard).toEqual(['canceled']);
  });

  test('is not made for a row that another attempt owns', async () => {
    const { leases, began } = await attempts(1, LONG_AGO_MS);
    const [lease] = began;
    await runs.ownership.releaseAll();
    const { scenarioRunId = '', testRunId = '', owner = '' } = lease?.ref ?? {};
    const next = await runs.claim(scenarioRunId, testRunId, owner);
    if (next.kind !== 'claimed') throw new Error('The scenario run was not claimed again.');
    const newer = leases.begin({ scenarioRunId, testRunId, owner, attempt: next.attempt }, leases.clock);
    await expect(lease?.assure(signal)).rejects.toThrow('superseded');
    await leases.look([newer]);
    await newer.assure(signal);
  });

  test('is not made on an answer that was old when it came: the row is asked again', async () => {
    const { testRunId, ownership, leases, began } = await attempts(1, LONG_AGO_MS);
    ownership.meanwhile.push(() => leases.pass({ steadyMs: LONG_AGO_MS, wallMs: LONG_AGO_MS }));
    await began[0]?.assure(signal);
    expect(ownership.looks).toEqual([1, 1]);
    leases.pass({ steadyMs: LONG_AGO_MS, wallMs: LONG_AGO_MS });
    ownership.meanwhile.push(async () => {
      leases.pass({ steadyMs: LONG_AGO_MS, wallMs: LONG_AGO_MS });
      await runs.testRuns.cancel(testRunId);
    });
    await expect(began[0]?.assure(signal)).rejects.toThrow('canceled');
  });

  test('is given up with its signal while the answers go on being too old', async () => {
    const { ownership, leases, began } = await attempts(1, LONG_AGO_MS);
    const { signal: ended, ...cancellation } = cancelable();
    const late = () => leases.pass({ steadyMs: LONG_AGO_MS, wallMs: LONG_AGO_MS });
    ownership.meanwhile.push(late, () => {
      late();
      cancellation.abort();
    });
    await expect(began[0]?.assure(ended)).rejects.toThrow('the run was canceled');
    expect(ownership.looks).toEqual([1, 1]);
  });

  test.each([
    ['the machine was suspended, which only the wall clock counts', { steadyMs: 1, wallMs: LONG_AGO_MS }],
    ['the wall clock was set back', { steadyMs: 1, wallMs: -1 }],
    ['the wall clock was held', { steadyMs: LONG_AGO_MS, wallMs: 0 }],
  ])('asks the row when %s', async (_, passed) => {
    const { ownership, leases, began } = await attempts(1, 0);
    leases.pass(passed);
    await began[0]?.assure(signal);
    expect(ownership.looks).toEqual([1]);
  });
});

describe('an attempt whose last write has begun', () => {
  test('hears of a cancellation by a look, but not that nobody owns its row: only the answer to its write says so', async () => {
    const { testRunId, leases, began } = await attempts(2, 0);
    const heard: string[] = [];
    for (const [index, lease] of began.entries()) {
      lease.onLoss((loss) => heard.push(`${index} ${loss}`));
      if (index === 0) lease.settle();
    }
    await runs.ownership.releaseAll();
    await leases.look(began);
    expect(heard).toEqual(['1 superseded']);
    await runs.testRuns.cancel(testRunId);
    await leases.look(began);
    expect(heard).toEqual(['1 superseded', '0 canceled']);
  });
});

describe('looks that always take longer than their answers hold', () => {
  const SLOW = { steadyMs: 750, wallMs: 750 };
  const QUICK = { steadyMs: 749, wallMs: 749 };
  /** With the look before it and the one after it. */
  const MINUTE = { steadyMs: 58_500, wallMs: 58_500 };

  test('are warned of, at once when they go on and then once a minute', async () => {
    const { ownership, leases, began, warnings } = await attempts(2, 0);
    const look = async (took: TwoClockInstant) => {
      ownership.meanwhile.push(() => leases.pass(took));
      await leases.look(began);
      return warnings.length;
    };
    // What stood still once is not worth a line.
    for (const warned of [0, 0, 0, 0]) expect(await look(SLOW)).toBe(warned);
    expect(await look(QUICK)).toBe(0);
    for (const warned of [0, 0, 0, 0, 1, 1]) expect(await look(SLOW)).toBe(warned);
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'The database takes too long to say who owns what: calls to agents and models wait',
      took_ms: 750,
      limit_ms: 750,
      attempts: 2,
    });
    leases.pass(MINUTE);
    for (const warned of [2, 2]) expect(await look(SLOW)).toBe(warned);
    expect(await look(QUICK)).toBe(2);
    for (const warned of [2, 2, 2, 2, 3]) expect(await look(SLOW)).toBe(warned);
  });
});

function cancelable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('the run was canceled')) };
}

test('of several attempts only the one that lost its row is over, and the others are confirmed', async () => {
  const { leases, began, ownership } = await attempts(3, LONG_AGO_MS);
  const over: number[] = [];
  began.forEach((lease, at) => lease.onLoss(() => over.push(at)));
  const lost = began[1]?.ref.scenarioRunId;
  await runs.database.query('UPDATE scenario_runs SET attempt = attempt + 1 WHERE id = $1', [lost]);
  await leases.look(began);
  expect(over).toEqual([1]);
  for (const at of [0, 2]) await began[at]?.assure(signal);
  expect(ownership.looks).toEqual([3]);
});
