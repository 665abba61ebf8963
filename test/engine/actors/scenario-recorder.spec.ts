import { ScenarioRecorder } from '../../../src/engine/actors/scenario-recorder';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import type { ChangeOutcome, ScenarioRunChange } from '../../../src/engine/ledger/scenario-run.changes';
import { ScenarioRunLedger } from '../../../src/engine/ledger/scenario-run.ledger';
import { ScreenshotsStore } from '../../../src/engine/ledger/screenshots.store';
import { ProviderError } from '../../../src/agents/errors';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { createLog } from '../../../src/platform/config/log';
import { openConversation, RECORD } from '../../setup/kept-conversation';
import { openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const { signal } = new AbortController();
const failure = { code: 'provider_timeout', message: 'The agent gave no answer.' } as const;

/** Keeps what it is to record. */
class KeepingLedger extends ScenarioRunLedger {
  readonly changes: ScenarioRunChange[] = [];
  answers: () => Promise<ChangeOutcome> = async () => 'committed';

  override record(change: ScenarioRunChange): Promise<ChangeOutcome> {
    this.changes.push(change);
    return this.answers();
  }
}

class FullStore extends ScreenshotsStore {
  override keep(): Promise<never> {
    return Promise.reject(new Error('The disk is full.'));
  }
}

function open() {
  const { conversation, lease, provider } = openConversation(textThreads);
  const ledger = new KeepingLedger(runs.database, new CommittedEvents());
  const lines: unknown[] = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
  const recorder = new ScenarioRecorder(RECORD, conversation, lease, {
    examiners: { tester: new OfflineTester(textThreads), judge: new OfflineJudge(textThreads) },
    ledger,
    screenshots: new FullStore(runs.database),
    log,
  });
  const losses: string[] = [];
  lease.onLoss((loss) => losses.push(loss));
  return { conversation, lease, provider, ledger, recorder, lines, losses };
}

const names = { scenarioRunId: RECORD.scenarioRunId, testRunId: RECORD.testRunId, attempt: RECORD.attempt };

describe('what is recorded of an attempt', () => {
  test('is its verdict, with who examined, and without a screenshot', async () => {
    const { recorder, ledger } = open();
    await recorder.recordVerdict(PASSED, [], signal);
    expect(ledger.changes).toMatchObject([
      { ...names, kind: 'verdict', verdict: PASSED, metadata: { provider: 'openai', attempts: 2, offline: true } },
    ]);
    expect(ledger.changes[0]).not.toHaveProperty('metadata.screenshot');
  });

  test('is its failure, without a screenshot where there is none', async () => {
    const { recorder, ledger, lines } = open();
    await recorder.recordFailure(failure, [], signal);
    expect(ledger.changes).toMatchObject([{ ...names, kind: 'failure', failure, metadata: { attempts: 2 } }]);
    expect(ledger.changes[0]).not.toHaveProperty('metadata.screenshot');
    expect(lines).toEqual([]);
  });

  test('is its failure also where its screenshot cannot be kept, which the log says of this attempt', async () => {
    const { conversation, provider, recorder, ledger, lines } = open();
    const showing = new ProviderError('provider_timeout', 'No.').showing(Buffer.from([0xff, 0xd8]));
    provider.connect = () => Promise.reject(showing);
    await expect(conversation.connect([], signal)).rejects.toThrow('No.');
    await recorder.recordFailure(failure, [], signal);
    expect(ledger.changes).toHaveLength(1);
    expect(lines).toEqual([expect.objectContaining({ msg: 'A screenshot could not be written', ...names })]);
  });
});

describe('an attempt whose last write is under way', () => {
  test.each([
    ['verdict', true],
    ['failure', true],
    ['gradingStart', false],
  ] as const)('of the kind %s: what others see of its row is no loss: %s', async (kind, isLast) => {
    const { recorder, lease, ledger, losses } = open();
    ledger.answers = async () => {
      lease.seeLoss('superseded');
      return 'committed';
    };
    if (kind === 'verdict') await recorder.recordVerdict(PASSED, [], signal);
    else if (kind === 'failure') await recorder.recordFailure(failure, [], signal);
    else await recorder.recordGradingStart({ endedBy: null, unansweredMessage: null }, signal);
    expect(losses).toEqual(isLast ? [] : ['superseded']);
  });
});

describe('a write', () => {
  test.each(['superseded', 'canceled'] as const)('that the row refuses ends its attempt: %s', async (outcome) => {
    const { recorder, ledger, losses } = open();
    ledger.answers = async () => outcome;
    await expect(recorder.recordVerdict(PASSED, [], signal)).rejects.toThrow(outcome);
    expect(losses).toEqual([outcome]);
  });

  test('that fails is logged with its kind and its attempt', async () => {
    const { recorder, ledger, lines, losses } = open();
    ledger.answers = () => Promise.reject(new Error('The row cannot be written.'));
    await expect(recorder.recordVerdict(PASSED, [], signal)).rejects.toThrow('The row cannot be written.');
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'A change could not be written', change: 'verdict', ...names }),
    ]);
    expect(losses).toEqual([]);
  });

  test('that fails because its attempt was stopped is no error', async () => {
    const { recorder, ledger, lines } = open();
    const stop = new AbortController();
    ledger.answers = () => {
      stop.abort(new Error('The process stops.'));
      return Promise.reject(new Error('The row cannot be written.'));
    };
    await expect(recorder.recordVerdict(PASSED, [], stop.signal)).rejects.toThrow();
    expect(lines).toEqual([]);
  });
});
