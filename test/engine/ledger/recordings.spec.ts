import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { TrackPiece } from '../../../src/engine/audio/recording-pieces';
import { RecordingPieces } from '../../../src/engine/ledger/recordings.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let pieces: RecordingPieces;
beforeAll(async () => {
  runs = await openStoredRuns();
  pieces = new RecordingPieces(runs.database);
});
afterAll(() => runs.close());

const PIECE: TrackPiece = {
  track: 'agent',
  firstSample: 160_000,
  samples: 3,
  sha256: 'a hash',
  bytes: new Uint8Array([1, 2, 3]),
};

async function claimed() {
  const owner = randomUUID();
  const run = await runs.createRun();
  const [scenarioRunId] = run.unsettled;
  if (scenarioRunId === undefined) throw new Error('A run has at least one scenario run.');
  await runs.claim(scenarioRunId, run.testRunId, owner);
  const ref = { scenarioRunId, testRunId: run.testRunId, owner, attempt: 1 };
  const failure = { code: 'speech_failed', message: 'No.' } as const;
  return {
    ref,
    fail: () => runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} }),
    stored: () =>
      runs.database.query(
        'SELECT attempt, track, first_sample::int AS first_sample, samples, sha256, bytes FROM recording_pieces WHERE scenario_run_id = $1 ORDER BY track',
        [scenarioRunId],
      ),
  };
}

test('a piece is kept once, however often it is written', async () => {
  const { ref, stored } = await claimed();
  await expect(pieces.keep(ref, PIECE)).resolves.toBe(true);
  await expect(pieces.keep(ref, PIECE)).resolves.toBe(true);
  await expect(pieces.keep(ref, { ...PIECE, track: 'patient' })).resolves.toBe(true);
  const row = { attempt: 1, first_sample: 160_000, samples: 3, sha256: 'a hash', bytes: Buffer.from([1, 2, 3]) };
  await expect(stored()).resolves.toEqual([
    { ...row, track: 'agent' },
    { ...row, track: 'patient' },
  ]);
});

test('it is refused of another owner, of another attempt and after the end', async () => {
  const { ref, fail, stored } = await claimed();
  await expect(pieces.keep({ ...ref, owner: randomUUID() }, PIECE)).resolves.toBe(false);
  await expect(pieces.keep({ ...ref, attempt: 2 }, PIECE)).resolves.toBe(false);
  await fail();
  await expect(pieces.keep(ref, PIECE)).resolves.toBe(false);
  await expect(stored()).resolves.toEqual([]);
});

test('pieces that wait for a lock take no connection from what keeps attempts alive, and few from clients', async () => {
  const { ref } = await claimed();
  const other = new Client(runs.testDatabase.url);
  await other.connect();
  const within = (answer: Promise<unknown>) =>
    Promise.race([answer.then(() => 'answered'), sleep(15_000, 'held up', { ref: false })]);
  try {
    await other.query('BEGIN');
    await other.query('LOCK TABLE recording_pieces IN SHARE MODE');
    const keeping = Promise.all(
      Array.from({ length: 30 }, (_, at) => pieces.keep(ref, { ...PIECE, firstSample: at * PIECE.samples })),
    );
    // Observed below; a lock that lasts fails them.
    keeping.catch(() => undefined);
    expect(await within(runs.database.engine.query('SELECT 1'))).toBe('answered');
    expect(await within(runs.database.query('SELECT 1'))).toBe('answered');
    await other.query('COMMIT');
    expect(await keeping).toEqual(Array(30).fill(true));
  } finally {
    await other.end();
  }
}, 60_000);
