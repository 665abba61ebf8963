import { randomUUID } from 'node:crypto';
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
