import { RecordingRetention } from '../../../src/features/retention/recording-retention';
import { clearDeletedRun } from '../../../src/features/runs/deleted-runs.store';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { UpkeepTask } from '../../../src/platform/jobs/upkeep';
import { constructedVoice, storeSpokenRun, type SpokenConversationGiven } from '../../setup/stored-spoken-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

const VOICE = constructedVoice(60_000, 3);

/** The agent says something that earns a mark from 41 to 42 s; of what a mark rests on at 3 s no time is known. */
const CONVERSATION: SpokenConversationGiven = {
  recording: { patient: VOICE, agent: VOICE },
  turns: [
    {
      said: 'Hello.',
      replied: 'Hello. I am listening.',
      spoken: { from_ms: 1_000, to_ms: 2_000, agent: [{ from_ms: 3_000, to_ms: 4_000 }] },
    },
    {
      said: 'My chest hurts.',
      replied: 'I see. Call 911 now.',
      spoken: {
        from_ms: 35_000,
        to_ms: 36_000,
        agent: [{ from_ms: 38_000, to_ms: 42_000 }],
        agent_sentences: [
          { id: 's1', from_ms: 38_000, to_ms: 39_000, certain: true },
          { id: 's2', from_ms: 41_500, to_ms: 42_000, certain: true },
        ],
      },
    },
  ],
  criteria: [
    {
      criterion: 'Calls for help',
      tags: [],
      decision: 'MET',
      points: 1,
      max_points: 1,
      rationale: '',
      evidence: [{ turn: 2, quote: 'Call 911 now.' }],
    },
    {
      criterion: 'Greets',
      tags: [],
      decision: 'MET',
      points: 1,
      max_points: 1,
      rationale: '',
      evidence: [{ turn: 1, quote: 'Hello.' }],
    },
  ],
};

async function round(variables: Readonly<Record<string, string>>): Promise<void> {
  const retention = new RecordingRetention(new Jobs(runs.database, silentLog), settingsFrom(variables), silentLog);
  await new UpkeepTask(retention.upkeep, runs.database, silentLog).round();
}

/** The seconds at which pieces begin, of both tracks alike. */
async function left(scenarioRunId: string | undefined): Promise<number[]> {
  const rows = await runs.database.query<{ second: number; tracks: number }>(
    `SELECT (first_sample / 16000)::int AS second, count(*)::int AS tracks FROM recording_pieces WHERE scenario_run_id = $1
     GROUP BY 1 ORDER BY 1`,
    [scenarioRunId],
  );
  expect(rows.every(({ tracks }) => tracks === 2)).toBe(true);
  return rows.map(({ second }) => second);
}

test('recordings go after RECORDINGS_DAYS, and stay before', async () => {
  const { scenarioRunIds } = await storeSpokenRun(runs.database, [CONVERSATION, CONVERSATION]);
  const age = (id: string | undefined, days: number) =>
    runs.database.query(
      `UPDATE recording_pieces SET kept_at = now() - make_interval(days => $2) WHERE scenario_run_id = $1`,
      [id, days],
    );
  await age(scenarioRunIds[0], 31);
  await age(scenarioRunIds[1], 29);
  await round({ RECORDINGS_DAYS: '0' });
  expect(await left(scenarioRunIds[0])).toHaveLength(6);
  await round({});
  expect(await left(scenarioRunIds[0])).toEqual([]);
  expect(await left(scenarioRunIds[1])).toEqual([0, 10, 20, 30, 40, 50]);
});

test('KEEP_RECORDINGS=evidence keeps the pieces that marks rest on, once the run has ended', async () => {
  const ended = await storeSpokenRun(runs.database, [CONVERSATION]);
  const live = await storeSpokenRun(runs.database, [CONVERSATION], { status: 'running' });
  await round({ KEEP_RECORDINGS: 'evidence' });
  // 41.5 to 42 s with what is around it, and all of the turn whose sentences have no times.
  expect(await left(ended.scenarioRunIds[0])).toEqual([0, 40]);
  expect(await left(live.scenarioRunIds[0])).toHaveLength(6);
  await round({ KEEP_RECORDINGS: 'evidence' });
  expect(await left(ended.scenarioRunIds[0])).toEqual([0, 40]);
});

test('KEEP_RECORDINGS=evidence keeps nothing of a conversation that was begun anew', async () => {
  const { scenarioRunIds } = await storeSpokenRun(runs.database, [CONVERSATION]);
  const [id] = scenarioRunIds;
  await runs.database.query(
    `INSERT INTO recording_pieces (scenario_run_id, attempt, track, first_sample, samples, sha256, bytes)
     SELECT scenario_run_id, 2, track, first_sample, samples, sha256, bytes FROM recording_pieces
     WHERE scenario_run_id = $1 AND first_sample < 500000`,
    [id],
  );
  await runs.database.query('UPDATE scenario_runs SET attempt = 2, conversation = 2 WHERE id = $1', [id]);
  await runs.database.query('UPDATE turns SET conversation = 2 WHERE scenario_run_id = $1', [id]);
  await round({ KEEP_RECORDINGS: 'evidence' });
  const kept = await runs.database.query(
    `SELECT attempt, (first_sample / 16000)::int AS second FROM recording_pieces WHERE scenario_run_id = $1 AND track = 'agent'`,
    [id],
  );
  expect(kept).toEqual([{ attempt: 2, second: 0 }]);
});

test('KEEP_RECORDINGS=none keeps nothing of runs that have ended, and all keeps everything', async () => {
  const { scenarioRunIds } = await storeSpokenRun(runs.database, [CONVERSATION]);
  await round({ KEEP_RECORDINGS: 'all' });
  expect(await left(scenarioRunIds[0])).toHaveLength(6);
  await round({ KEEP_RECORDINGS: 'none' });
  expect(await left(scenarioRunIds[0])).toEqual([]);
});

test('what a deleted run leaves of sound is cleared away in pieces, before its rows', async () => {
  const many = constructedVoice(600_000, 4);
  const { id } = await storeSpokenRun(runs.database, [{ ...CONVERSATION, recording: { patient: many, agent: many } }]);
  await runs.database.query('DELETE FROM test_runs WHERE id = $1', [id]);
  const cleared: unknown[] = [];
  for (;;) {
    const piece = await runs.database.transaction((tx) => clearDeletedRun(tx));
    if (piece === null) break;
    cleared.push(piece);
  }
  expect(cleared).toEqual([
    { runs: 0, scenarioRuns: 0, turns: 0, events: 0, recordingPieces: 100 },
    { runs: 0, scenarioRuns: 0, turns: 0, events: 0, recordingPieces: 20 },
    { runs: 1, scenarioRuns: 1, turns: 2, events: 0, recordingPieces: 0 },
  ]);
});
