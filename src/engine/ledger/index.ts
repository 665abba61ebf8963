/**
 * The only code that writes runs: their rows, turns and marks, and the numbered events that tell of each commit. Features come
 * here to create a run and to read what a run holds; the actors write through it.
 */

// Runs that are created.
export {
  ScenarioVanished,
  TwinGone,
  TooManyScheduledRuns,
  RunLimits,
  IN_TEXT,
  type ExaminedAgent,
  type NewTestRun,
  type PlannedScenarioRun,
  type TwinOf,
} from './new-test-run';
export type { NewRunSet } from './new-run-set';
export { SourceGone, type OtherRubric, type NewDerivedRun, type BornScenarioRun } from './derived-run';
export { IMPORTED, type ImportedConversation, type NewImportedRun } from './imported-run';

// What runs and their conversations hold.
export { turnOf, type StoredTurn, type TurnRow } from './execution-record';
export { examinersOf, type Findings, type Examiner, type Examiners } from './findings';
export { RunExaminersStore, type ExaminerDocument, type AskedModels, type ExaminerPair } from './run-examiners.store';
export { RunOutlinesStore } from './run-outlines.store';
export { UnfinishedRunsStore } from './unfinished-runs.store';
export { ScreenshotsStore } from './screenshots.store';
export { RecordingPieces } from './recordings.store';
export { passRateOf } from './run-end';

// What is committed, and who may commit it.
export { TestRunLedger } from './test-run.ledger';
export { ScenarioRunLedger } from './scenario-run.ledger';
export { transcriptUpdate, type JsonObject } from './scenario-run.changes';
export { CommittedEvents } from './run-log';
export { ScenarioRunClaims } from './scenario-run.claims';
export { OwnershipStore } from './ownership.store';
export type { SupervisionClaim } from './supervision';
export { FailedSupervisions } from './failed-supervisions';
export { LEASE_SECONDS } from './lease';

export { SHOWN_RUNS, SPOKEN_CONDITIONS } from './shown-runs';
