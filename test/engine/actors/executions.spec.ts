import { randomUUID } from 'node:crypto';
import type { ProviderKind } from '../../../src/domain/provider-kinds';
import { turnOf, type Ending, type Turn } from '../../../src/domain/conversation';
import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { ScenarioConversation } from '../../../src/engine/actors/scenario-conversation';
import { ScenarioRecorder } from '../../../src/engine/actors/scenario-recorder';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { OwnershipStore } from '../../../src/engine/ledger/ownership.store';
import { ScreenshotsStore } from '../../../src/engine/ledger/screenshots.store';
import { AgentHungUp, ProviderError } from '../../../src/agents/errors';
import { Provider, type Availability, type Session } from '../../../src/agents/provider';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';
import { inText } from '../../setup/in-text';
import { openTextThreads } from '../../setup/text-threads';

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
  closing: Promise<void> = Promise.resolve();
  tellOfSession: Session['metadata'] = () => ({});
  send: Session['send'] = async () => {
    return { content: 'Please call an ambulance.', latencyMs: 1, continuation: null, metadata: {} };
  };

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
      send: (message, ending) => this.send(message, ending),
      close: async () => {
        this.closed += 1;
        await this.closing;
      },
      metadata: () => this.tellOfSession(),
    };
  }
}

async function claimed(resumable = true) {
  const run = await runs.createRun();
  const [scenarioRunId = ''] = run.unsettled;
  const { testRunId } = run;
  const provider = new CalmProvider(resumable);
  /** The next attempt, by another process. */
  const nextAttempt = async (
    claimedAt = instantNow(),
    ownership = runs.ownership,
    screenshots = new ScreenshotsStore(runs.database),
  ) => {
    const owner = randomUUID();
    const claim = await runs.claim(scenarioRunId, testRunId, owner);
    if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
    const { turns, ...record } = claim.record;
    const { attempt } = claim;
    const leases = new AttemptLeases(ownership, runs.database, silentLog);
    const lease = leases.begin({ scenarioRunId, testRunId, owner, attempt }, claimedAt);
    const [tester, judge] = [new OfflineTester(textThreads), new OfflineJudge(textThreads)];
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const participants = {
      provider,
      tester,
      judge,
      auditsPatients: true,
      textThreads,
      spokenConversations: inText,
      log,
    };
    const conversation = new ScenarioConversation(record, turns.length, lease, participants);
    const parts = { examiners: { tester, judge }, ledger: runs.scenarioRuns, screenshots, log };
    const recorder = new ScenarioRecorder(record, conversation, lease, parts);
    return { lease, leases, conversation, recorder, lines };
  };
  return { scenarioRunId, testRunId, provider, nextAttempt };
}

type Attempt = Awaited<ReturnType<Awaited<ReturnType<typeof claimed>>['nextAttempt']>>;

const { signal } = new AbortController();

/** Says the next thing of the patient; answers what is to be recorded. */
async function speak({ conversation }: Attempt, turn: number) {
  await conversation.connect([], signal);
  const message = await conversation.compose(turn, [], signal);
  const answer = await conversation.send(message, signal);
  if (answer.content === null) throw new Error('The agent hung up.');
  return turnOf(message, answer);
}

function turnAt(turn: number): Turn {
  const at = '2030-01-01T00:00:00.000Z';
  return {
    turn,
    patientMessage: 'My chest hurts.',
    patientAt: at,
    agentMessage: 'Goodbye.',
    agentAt: at,
    latencyMs: 1,
  };
}

const COMPLETE: Ending = { endedBy: null, unansweredMessage: null };

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
    await second.recorder.recordTurn(await speak(second, 1), null, signal);
    await second.recorder.recordTurn(await speak(second, 2), null, signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([true, false]);
  });

  test('is not in doubt when the attempt before it gave the row back and had sent nothing that is not recorded', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    const first = await nextAttempt();
    await first.conversation.connect([], signal);
    await first.recorder.release();
    const second = await nextAttempt();
    await second.recorder.recordTurn(await speak(second, 1), null, signal);
    await second.recorder.release();
    const third = await nextAttempt();
    await third.recorder.recordTurn(await speak(third, 2), null, signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([false, false]);
  });

  test('is in doubt when the attempt before it gave the row back while a message was under way', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    const first = await nextAttempt();
    await speak(first, 1);
    await first.recorder.release();
    const second = await nextAttempt();
    // Nothing was sent by this one, and the doubt stays.
    await second.recorder.release();
    const third = await nextAttempt();
    await third.recorder.recordTurn(await speak(third, 1), null, signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([true]);
  });
});

describe('the first turn of a conversation that starts again', () => {
  test('is not in doubt: nothing of it was sent before', async () => {
    const { scenarioRunId, nextAttempt } = await claimed(false);
    await nextAttempt();
    await runs.ownership.releaseAll();
    const second = await nextAttempt();
    await second.recorder.recordTurn(await speak(second, 1), null, signal);
    expect(await doubtsOf(scenarioRunId)).toEqual([false]);
  });
});

describe('a session', () => {
  test('is closed once, and all who end it wait for that', async () => {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    const { conversation, recorder } = await nextAttempt();
    await conversation.connect([], signal);
    let close: () => void = () => undefined;
    provider.closing = new Promise((resolve) => (close = resolve));
    provider.tellOfSession = () => ({ room: 'r1' });
    const ended: string[] = [];
    const ends = [1, 2].map((number) => conversation.disconnect().then(() => ended.push(`${number}`)));
    const failure = { code: 'provider_timeout', message: 'No answer came.' } as const;
    const recording = recorder.recordFailure(failure, [], signal).then(() => ended.push('recorded'));
    await new Promise(setImmediate);
    expect(ended).toEqual([]);
    close();
    await Promise.all([...ends, recording]);
    expect(provider.closed).toBe(1);
    // What is known only at its end is recorded too.
    const { metadata } = (await runs.scenarioRunReads.find(scenarioRunId)) ?? {};
    expect(metadata).toMatchObject({ session: { room: 'r1' } });
  });
});

describe('a session that opens', () => {
  test('in the moment of its cancellation is closed', async () => {
    const { provider, nextAttempt } = await claimed();
    const { conversation } = await nextAttempt();
    let open: () => void = () => undefined;
    provider.opening = new Promise((resolve) => (open = resolve));
    const cancellation = new AbortController();
    const connecting = conversation.connect([], cancellation.signal).catch(() => undefined);
    await new Promise(setImmediate);
    cancellation.abort();
    await conversation.disconnect();
    expect(provider.closed).toBe(0);
    open();
    await connecting;
    expect(provider.closed).toBe(1);
  });
});

describe('an outcome', () => {
  const failure = { code: 'provider_timeout', message: 'The agent gave no answer.' } as const;
  const statusOf = (scenarioRunId: string) =>
    runs.database.query('SELECT status, error_code FROM scenario_runs WHERE id = $1', [scenarioRunId]);

  test('is recorded also when its session fails to tell of itself', async () => {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    provider.tellOfSession = () => {
      throw new Error('The session has forgotten itself.');
    };
    await attempt.conversation.connect([], signal);
    await attempt.recorder.recordFailure(failure, [], signal);
    expect(await statusOf(scenarioRunId)).toEqual([{ status: 'error', error_code: 'provider_timeout' }]);
  });

  test('is not written any more when its attempt was stopped while its session closed', async () => {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    await attempt.conversation.connect([], signal);
    let close: () => void = () => undefined;
    provider.closing = new Promise((resolve) => (close = resolve));
    const stop = new AbortController();
    const recording = attempt.recorder.recordFailure(failure, [], stop.signal);
    stop.abort(new Error('The process stops.'));
    close();
    await expect(recording).rejects.toThrow('The process stops.');
    expect(await statusOf(scenarioRunId)).toEqual([{ status: 'running', error_code: null }]);
  });
});

describe('the screenshot of a failure', () => {
  const failure = { code: 'provider_timeout', message: 'The agent gave no answer.' } as const;
  const PICTURE = Buffer.from([0xff, 0xd8, 0xff]);

  /** An attempt whose page showed something when it failed. */
  async function failed(screenshots: ScreenshotsStore) {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    const attempt = await nextAttempt(instantNow(), runs.ownership, screenshots);
    provider.send = () => Promise.reject(new ProviderError('provider_timeout', failure.message).showing(PICTURE));
    await expect(speak(attempt, 1)).rejects.toThrow(failure.message);
    const stored = async () => {
      const { status, metadata } = (await runs.scenarioRunReads.find(scenarioRunId)) ?? {};
      const picture = await new ScreenshotsStore(runs.database).find(scenarioRunId);
      return { status, isNamed: metadata?.['screenshot'] ?? false, picture };
    };
    return { ...attempt, stored };
  }

  class BrokenStore extends ScreenshotsStore {
    fails: () => void = () => undefined;

    override keep(): Promise<never> {
      this.fails();
      return Promise.reject(new Error('It cannot be written.'));
    }
  }

  test('is stored with it, and the metadata say so', async () => {
    const { recorder, stored } = await failed(new ScreenshotsStore(runs.database));
    await recorder.recordFailure(failure, [], signal);
    expect(await stored()).toEqual({ status: 'error', isNamed: true, picture: PICTURE });
  });

  test('that cannot be written is left out, which is logged: the failure is recorded all the same', async () => {
    const { recorder, stored, lines } = await failed(new BrokenStore(runs.database));
    await recorder.recordFailure(failure, [], signal);
    expect(await stored()).toEqual({ status: 'error', isNamed: false, picture: null });
    expect(lines).toHaveLength(1);
  });

  test('that cannot be written because its attempt was stopped is no error, and nothing is recorded', async () => {
    const store = new BrokenStore(runs.database);
    const stop = new AbortController();
    store.fails = () => stop.abort(new Error('The process stops.'));
    const { recorder, stored, lines } = await failed(store);
    await expect(recorder.recordFailure(failure, [], stop.signal)).rejects.toThrow();
    expect(await stored()).toEqual({ status: 'running', isNamed: false, picture: null });
    expect(lines).toEqual([]);
  });
});

describe('the last turn of a conversation', () => {
  test('is recorded together with the start of its grading', async () => {
    const { scenarioRunId, nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    await attempt.recorder.recordTurn(await speak(attempt, 1), COMPLETE, signal);
    const row = await runs.database.query('SELECT status, turns FROM scenario_runs WHERE id = $1', [scenarioRunId]);
    expect(row).toEqual([{ status: 'grading', turns: 1 }]);
    const types = runs.told.filter((event) => 'scenario_run_id' in event && event.scenario_run_id === scenarioRunId);
    expect(types.map(({ type }) => type).slice(-2)).toEqual(['transcript_update', 'grading_started']);
  });
});

describe('a conversation that the agent ends', () => {
  const stored = async (scenarioRunId: string) => {
    const { status, turns, ended_by, unanswered_message } = (await runs.scenarioRunReads.find(scenarioRunId)) ?? {};
    return { status, turns, ended_by, unanswered_message };
  };

  test('with a reply is recorded together with that turn and the start of the grading', async () => {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    provider.send = async () => {
      return { content: 'Goodbye.', latencyMs: 1, continuation: null, metadata: {}, endsConversation: true };
    };
    const attempt = await nextAttempt();
    const turn = await speak(attempt, 1);
    await attempt.recorder.recordTurn(turn, { endedBy: 'agent', unansweredMessage: null }, signal);
    expect(await stored(scenarioRunId)).toEqual({
      status: 'grading',
      turns: 1,
      ended_by: 'agent',
      unanswered_message: null,
    });
    expect(runs.told.at(-1)).toMatchObject({ type: 'grading_started', ended_by: 'agent' });
  });

  test('in place of a reply keeps what the patient had said', async () => {
    const { scenarioRunId, provider, nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    await attempt.recorder.recordTurn(await speak(attempt, 1), null, signal);
    provider.send = () => Promise.reject(new AgentHungUp());
    const message = await attempt.conversation.compose(2, [], signal);
    expect(await attempt.conversation.send(message, signal)).toEqual({
      turn: 2,
      content: null,
      isUnanswered: true,
      notes: {},
    });
    provider.send = () => Promise.reject(new AgentHungUp(false));
    expect(await attempt.conversation.send(message, signal)).toEqual({ turn: 2, content: null, isUnanswered: false });
    const unansweredMessage = `${message.content} \0`;
    await attempt.recorder.recordGradingStart({ endedBy: 'agent', unansweredMessage }, signal);
    const unanswered_message = `${message.content} \ufffd`;
    expect(await stored(scenarioRunId)).toEqual({ status: 'grading', turns: 1, ended_by: 'agent', unanswered_message });
    expect(runs.told.at(-1)).toMatchObject({ type: 'grading_started', ended_by: 'agent', unanswered_message });
  });

  test('in place of a reply keeps what it did instead, for the attempt that grades after a kill, too', async () => {
    const { scenarioRunId, testRunId, provider, nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    await attempt.recorder.recordTurn(await speak(attempt, 1), null, signal);
    const told = { tool_calls: [{ name: 'transfer', arguments: '{"to":"\0ambulance"}' }] };
    provider.send = () => Promise.reject(new AgentHungUp(true, null, told));
    const message = await attempt.conversation.compose(2, [], signal);
    const hangUp = await attempt.conversation.send(message, signal);
    expect(hangUp).toEqual({ turn: 2, content: null, isUnanswered: true, notes: { agent: told } });
    const closingActs = { agent: told };
    await attempt.recorder.recordGradingStart(
      { endedBy: 'agent', unansweredMessage: message.content, closingActs },
      signal,
    );
    await runs.ownership.releaseAll();
    const claim = await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(claim).toMatchObject({
      record: {
        status: 'grading',
        closingActs: { agent: { tool_calls: [{ name: 'transfer', arguments: '{"to":"\ufffdambulance"}' }] } },
      },
    });
  });

  test('is graded by the next attempt, after a kill, also where conversations start again', async () => {
    const run = await runs.createRun({ provider: 'livekit' });
    const [scenarioRunId = ''] = run.unsettled;
    const owner = randomUUID();
    await runs.claim(scenarioRunId, run.testRunId, owner);
    const ref = { scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 };
    const exchange = turnAt(1);
    await runs.scenarioRuns.record({
      ...ref,
      kind: 'turn',
      exchange,
      continuation: null,
      metadata: {},
      startsGrading: true,
      endedBy: 'agent',
    });
    await runs.ownership.releaseAll();
    const claim = await runs.claim(scenarioRunId, run.testRunId, randomUUID());
    expect(claim).toMatchObject({ record: { status: 'grading', turns: [{ turn: 1 }], isRestarted: false } });
    expect(await stored(scenarioRunId)).toMatchObject({ ended_by: 'agent' });
  });
});

describe('an attempt whose turn is committed', () => {
  test('has its row for certain: the next call asks nobody', async () => {
    let looks = 0;
    const counted = new (class extends OwnershipStore {
      override findLostAttempts(...asked: Parameters<OwnershipStore['findLostAttempts']>) {
        looks += 1;
        return super.findLostAttempts(...asked);
      }
    })(runs.database);
    const { nextAttempt } = await claimed();
    const { steadyMs, wallMs } = instantNow();
    const longAgo = { steadyMs: steadyMs - 60_000, wallMs: wallMs - 60_000 };
    const { lease, recorder } = await nextAttempt(longAgo, counted);
    await recorder.recordTurn({ ...turnAt(1), continuation: null, metadata: {} }, null, signal);
    await lease.assure(signal);
    expect(looks).toBe(0);
  });
});

describe('an attempt whose outcome is committed', () => {
  test.each<[string, (attempt: Attempt) => Promise<void>]>([
    [
      'failure',
      ({ recorder }) => recorder.recordFailure({ code: 'provider_timeout', message: 'No answer came.' }, [], signal),
    ],
    [
      'verdict',
      async ({ recorder }) => {
        await recorder.recordGradingStart(COMPLETE, signal);
        await recorder.recordVerdict(PASSED, [], signal);
      },
    ],
  ])('is not taken for lost by a look that sees its %s before the answer arrives', async (_what, end) => {
    const { nextAttempt } = await claimed();
    const attempt = await nextAttempt();
    const { lease, leases } = attempt;
    const heard: string[] = [];
    lease.onLoss((loss) => heard.push(loss));
    await end(attempt);
    await leases.look([lease]);
    expect(heard).toEqual([]);
  });

  test('hears that another attempt had its row', async () => {
    const { nextAttempt } = await claimed();
    const first = await nextAttempt();
    const heard: string[] = [];
    first.lease.onLoss((loss) => heard.push(loss));
    await runs.ownership.releaseAll();
    await nextAttempt();
    const failure = { code: 'provider_timeout', message: 'No answer came.' } as const;
    await expect(first.recorder.recordFailure(failure, [], signal)).rejects.toThrow('superseded');
    expect(heard).toEqual(['superseded']);
  });
});

describe('an attempt that lost its row', () => {
  test('hears of it by the write that is refused, and writes and calls nothing more', async () => {
    const { nextAttempt } = await claimed();
    const first = await nextAttempt();
    const heard: string[] = [];
    first.lease.onLoss((loss) => heard.push(loss));
    const turn = await speak(first, 1);
    await runs.ownership.releaseAll();
    await nextAttempt();
    await expect(first.recorder.recordTurn(turn, null, signal)).rejects.toThrow('superseded');
    expect(heard).toEqual(['superseded']);
    await expect(speak(first, 1)).rejects.toThrow('superseded');
    expect(heard).toEqual(['superseded']);
  });

  test('hears of it by a look at all rows of the process, which confirms the ownership of the others', async () => {
    const [lost, kept] = [await claimed(), await claimed()];
    const attempts = [await lost.nextAttempt(), await kept.nextAttempt()] as const;
    const heard: string[] = [];
    for (const [index, { lease }] of attempts.entries()) lease.onLoss((loss) => heard.push(`${index} ${loss}`));
    await runs.testRuns.cancel(lost.testRunId);
    for (const { leases, lease } of attempts) await leases.look([lease]);
    expect(heard).toEqual(['0 canceled']);
    await expect(attempts[0].lease.assure(signal)).rejects.toThrow('canceled');
    await attempts[1].lease.assure(signal);
  });
});
