import { randomUUID } from 'node:crypto';
import { exchangeOf } from '../../machines/conversation';
import { OwnershipCheck } from '../../src/actors/ownership-check';
import { ScenarioExecution } from '../../src/actors/scenario-execution';
import { silentLog } from '../../src/config/log';
import { OfflineJudge } from '../../src/judge/offline.judge';
import { ScreenshotsStore } from '../../src/persistence/screenshots.store';
import { Provider, type Availability, type ProviderKind, type Session } from '../../src/providers/provider';
import { OfflineTester } from '../../src/tester/offline.tester';
import { openStoredRuns, type StoredRuns } from '../setup/stored-run';
import { openTextThreads } from '../setup/text-threads';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** Answers everything; its sessions open when they are let. */
class CalmProvider extends Provider {
  readonly kind: ProviderKind = 'openai';
  closed = 0;
  opening: Promise<void> = Promise.resolve();

  constructor(readonly resumable: boolean) {
    super();
  }

  availability(): Availability {
    return { available: true };
  }

  async connect(): Promise<Session> {
    await this.opening;
    return {
      greeting: null,
      send: async () => ({ content: 'Please call an ambulance.', latencyMs: 1, continuation: null, metadata: {} }),
      close: async () => void (this.closed += 1),
      metadata: () => ({}),
    };
  }
}

async function claimed() {
  const run = await runs.createRun();
  const [scenarioRunId = ''] = run.unsettled;
  const { testRunId } = run;
  const provider = new CalmProvider(true);
  /** The next attempt, by another process. */
  const nextAttempt = async () => {
    const owner = randomUUID();
    const claim = await runs.claim(scenarioRunId, testRunId, owner);
    if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
    const { attempt, record } = claim;
    return new ScenarioExecution(record, { scenarioRunId, testRunId, owner, attempt }, performance.now(), {
      provider,
      tester: new OfflineTester(textThreads),
      judge: new OfflineJudge(textThreads),
      textThreads,
      ledger: runs.scenarioRuns,
      screenshots: new ScreenshotsStore(runs.database),
      database: runs.database,
      ownershipCheck: new OwnershipCheck(owner, runs.ownership),
      loseAttempt: () => undefined,
      log: silentLog,
    });
  };
  return { scenarioRunId, provider, nextAttempt };
}

const { signal } = new AbortController();

/** Says the next thing of the patient; answers what is to be recorded. */
async function speak(execution: ScenarioExecution, turn: number) {
  await execution.connect([], signal);
  const message = await execution.compose(turn, [], signal);
  return exchangeOf(message, await execution.send(message, signal));
}

async function doubtsOf(scenarioRunId: string): Promise<unknown[]> {
  const turns = (await runs.scenarioRunReads.turnsOf([scenarioRunId])).get(scenarioRunId) ?? [];
  return turns.map(({ metadata }) => metadata['in_doubt'] ?? false);
}

describe('the first turn of a later attempt', () => {
  test('is in doubt when the attempt before it died', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    await nextAttempt();
    await runs.ownership.releaseAll();
    const second = await nextAttempt();
    await second.recordTurn(await speak(second, 1), signal);
    await second.recordTurn(await speak(second, 2), signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([true, false]);
  });

  test('is not in doubt when the attempt before it gave the row back and had sent nothing that is not recorded', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    const first = await nextAttempt();
    await first.connect([], signal);
    await first.handBack();
    const second = await nextAttempt();
    await second.recordTurn(await speak(second, 1), signal);
    await second.handBack();
    const third = await nextAttempt();
    await third.recordTurn(await speak(third, 2), signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([false, false]);
  });

  test('is in doubt when the attempt before it gave the row back while a message was under way', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    const first = await nextAttempt();
    await speak(first, 1);
    await first.handBack();
    const second = await nextAttempt();
    // Nothing was sent by this one, and the doubt stays.
    await second.handBack();
    const third = await nextAttempt();
    await third.recordTurn(await speak(third, 1), signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([true]);
  });
});

describe('a session that opens', () => {
  test('in the moment of its cancellation is closed', async () => {
    const { provider, nextAttempt } = await claimed();
    const execution = await nextAttempt();
    let open: () => void = () => undefined;
    provider.opening = new Promise((resolve) => (open = resolve));
    const cancellation = new AbortController();
    const connecting = execution.connect([], cancellation.signal).catch(() => undefined);
    await new Promise(setImmediate);
    cancellation.abort();
    await execution.disconnect();
    expect(provider.closed).toBe(0);
    open();
    await connecting;
    expect(provider.closed).toBe(1);
  });
});
