import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const FEATURES = join(__dirname, '../../../src/features');

/** What reads all runs, those of calibrations too, and why that shows none of them. */
const READ_ALL_RUNS: Readonly<Record<string, string>> = {
  'agents/agents.store.ts': 'whether a run still needs a deleted agent: a calibration has none',
  'audit/audit.store.ts': 'which of the names in a request name anything',
  'calibrations/calibrations.store.ts': 'calibrations',
  'inspection/inspection.store.ts': 'what the processes are at work on: operators see calibrations there',
  'run-sets/run-sets.store.ts': 'runs that were started together: a calibration is in no set',
  'runs/deleted-runs.store.ts': 'deletes runs that were found among those shown',
  'runs/test-runs.store.ts': 'the family of a twin: a calibration has no twin',
  'scenarios/scenario-purge.store.ts': 'whether runs have a scenario of the library: a calibration has none',
  'schedules/schedule-starts.store.ts': 'runs that a schedule has started: a calibration is none',
  'shown-marks/shown-marks.store.ts': 'runs that were shown, and those derived from them',
};

const sources = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.entity.ts'))
  .map((path) => join(FEATURES, path));

test('whatever features read of runs is read of those that are shown, but for what is listed here', () => {
  const reading = sources.filter((path) => /\b(?:FROM|JOIN|UPDATE|INTO) test_runs\b/.test(readFileSync(path, 'utf8')));
  expect(reading.map((path) => relative(FEATURES, path)).sort()).toEqual(Object.keys(READ_ALL_RUNS));
});
