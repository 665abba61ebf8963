import { USUAL_PATIENT } from '../../../src/domain';
import { AttemptLease } from '../../../src/engine/actors/attempt-leases';
import { SpokenConversations } from '../../../src/engine/actors/spoken-conversations';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import type { TrackPiece } from '../../../src/engine/audio/recording-pieces';
import { RecordingPieces } from '../../../src/engine/ledger/recordings.store';
import type { AttemptRef } from '../../../src/engine/ledger/scenario-run.changes';
import { SpeechError } from '../../../src/engine/speech/speech-error';
import type { CallRequest } from '../../../src/engine/speech/spoken-calls';
import type { EnginesRequest, FoundEngines } from '../../../src/engine/speech/speech-jobs';
import { createLog, silentLog, type Log } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { spokenRun } from '../../setup/spoken-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const { signal } = new AbortController();
const REF: AttemptRef = {
  scenarioRunId: '1c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4a',
  testRunId: '3c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4b',
  attempt: 2,
  owner: '7c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4d',
};
const LEASE = new AttemptLease(REF, instantNow(), () => Promise.resolve(), instantNow);
const SPOKEN = spokenRun();
const SPEECH = { keypad: [{ when: 'press one', press: '1' }] };
const RECORD = {
  testRunId: REF.testRunId,
  scenarioId: '9c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4e',
  scenario: { name: 'A menu', content: { speech: SPEECH }, rubric_criteria: [] },
  trial: 3,
  patient: { ...USUAL_PATIENT, language: 'de' },
  agentProvider: 'livekit',
  agentConfig: {},
};
type AgentConfig = Readonly<Record<string, unknown>>;
const ON_TELEPHONE = { phone_number: '+15550100' };
const ASKED: EnginesRequest = { voice: null, rate: 1, namedBy: 'SPEECH_VOICE' };
const FOUND: FoundEngines = { voice: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 }, ear: null };
const PIECE: TrackPiece = { track: 'agent', firstSample: 0, samples: 1, sha256: 'x', bytes: new Uint8Array(1) };

class KeepingPieces extends RecordingPieces {
  readonly kept: (readonly [AttemptRef, TrackPiece])[] = [];

  override async keep(ref: AttemptRef, piece: TrackPiece): Promise<boolean> {
    this.kept.push([ref, piece]);
    return true;
  }
}

/** Its calls are not put through; it keeps what was asked of them. */
class NotedConversations extends SpokenConversations {
  readonly requests: CallRequest[] = [];
  loads = 0;
  closed = 0;
  isBroken = false;

  protected override async load() {
    this.loads += 1;
    if (this.isBroken) throw new Error('What speaks cannot be loaded.');
    return {
      open: (request: CallRequest) => {
        this.requests.push(request);
        return Promise.reject(new SpeechError('control_clip_bad', 'The control sentence was not heard.'));
      },
      engines: async () => FOUND,
      close: () => {
        this.closed += 1;
      },
    };
  }
}

function open(environment: Record<string, string> = {}, log: Log = silentLog) {
  const pieces = new KeepingPieces(runs.database);
  const conversations = new NotedConversations(settingsFrom(environment), pieces, log);
  const requestOf = async (agentConfig: AgentConfig | null = {}) => {
    const opening = conversations.open(SPOKEN, { ...RECORD, agentConfig }, LEASE, signal);
    await expect(opening).rejects.toThrow('The control sentence was not heard.');
    const request = conversations.requests.at(-1);
    if (request === undefined) throw new Error('No call was asked for.');
    return request;
  };
  return { conversations, pieces, requestOf };
}

describe('the call of an attempt', () => {
  it('sounds as the run, the scenario, the patient and the trial say', async () => {
    const { requestOf } = open();
    expect(await requestOf()).toMatchObject({
      testRunId: RECORD.testRunId,
      spoken: SPOKEN,
      language: 'de',
      scenarioId: RECORD.scenarioId,
      speech: SPEECH,
      trial: 3,
      attempt: 2,
    });
  });

  it('is not asked for where what its scenario says of speech cannot be read', async () => {
    const { conversations } = open();
    const scenario = { ...RECORD.scenario, content: { speech: { manner: 'loud' } } };
    await expect(conversations.open(SPOKEN, { ...RECORD, scenario }, LEASE, signal)).rejects.toMatchObject({
      failure: { code: 'config_invalid' },
    });
    expect(conversations.requests).toEqual([]);
  });

  it('keeps its recording with the attempt', async () => {
    const { pieces, requestOf } = open();
    const { keep } = await requestOf();
    expect(await keep?.(PIECE)).toBe(true);
    expect(pieces.kept).toEqual([[REF, PIECE]]);
  });

  it.each<[string, Record<string, string>, AgentConfig | null, boolean]>([
    ['over the network', {}, {}, true],
    ['over the network, where recordings are not wanted', { KEEP_RECORDINGS: 'none' }, {}, false],
    ['to a telephone number', {}, ON_TELEPHONE, false],
    ['to a telephone number, with consent', { RECORD_TELEPHONE_CALLS: 'true' }, ON_TELEPHONE, true],
    [
      'to a telephone number, with consent, where recordings are not wanted',
      { RECORD_TELEPHONE_CALLS: 'true', KEEP_RECORDINGS: 'none' },
      ON_TELEPHONE,
      false,
    ],
    ['to an agent that was deleted, which may have been a telephone', {}, null, false],
  ])('%s: with %j and %j, whether it is recorded is %s', async (_what, environment, agentConfig, isRecorded) => {
    const { keep } = await open(environment).requestOf(agentConfig);
    expect(keep !== null).toBe(isRecorded);
  });

  it('goes on where a part of its recording cannot be kept, which the log says of this attempt', async () => {
    const lines: unknown[] = [];
    const log = createLog('error', { write: (line) => lines.push(JSON.parse(line)) });
    const { onGap } = await open({}, log).requestOf();
    onGap(new Error('The disk is full.'));
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'A part of a recording could not be kept; the conversation goes on',
        error: expect.objectContaining({ message: 'The disk is full.' }),
        scenarioRunId: REF.scenarioRunId,
        testRunId: REF.testRunId,
        attempt: 2,
      }),
    ]);
  });
});

describe('what speaks and hears', () => {
  it('is loaded with the first that needs it, once for all, and closed with the process', async () => {
    const { conversations, requestOf } = open();
    expect(conversations.loads).toBe(0);
    expect(await Promise.all([conversations.engines(ASKED), conversations.engines(ASKED)])).toEqual([FOUND, FOUND]);
    await requestOf();
    expect([conversations.loads, conversations.closed]).toEqual([1, 0]);
    await conversations.onApplicationShutdown();
    expect(conversations.closed).toBe(1);
  });

  it('is not loaded to be closed', async () => {
    const { conversations } = open();
    await conversations.onApplicationShutdown();
    expect([conversations.loads, conversations.closed]).toEqual([0, 0]);
  });

  it('is loaded anew by the next that needs it where it could not be', async () => {
    const { conversations } = open();
    conversations.isBroken = true;
    await expect(conversations.engines(ASKED)).rejects.toThrow('What speaks cannot be loaded.');
    conversations.isBroken = false;
    expect(await conversations.engines(ASKED)).toEqual(FOUND);
    expect(conversations.loads).toBe(2);
  });

  it('keeps no process from its end where it cannot be loaded', async () => {
    const { conversations } = open();
    conversations.isBroken = true;
    const asking = conversations.engines(ASKED);
    await Promise.all([conversations.onApplicationShutdown(), expect(asking).rejects.toThrow('cannot be loaded')]);
    expect(conversations.closed).toBe(0);
  });
});
