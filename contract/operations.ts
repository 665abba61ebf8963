import * as agentHistory from './agent-history';
import * as agentTrials from './agent-trials';
import * as agents from './agents';
import * as agreement from './agreement';
import * as audit from './audit';
import * as calibrations from './calibrations';
import * as comparison from './comparison';
import * as derivedRuns from './derived-runs';
import * as events from './events';
import * as exportFiles from './exports';
import * as grid from './grid';
import * as health from './health';
import * as inspection from './inspection';
import * as keys from './keys';
import * as me from './me';
import * as metrics from './metrics';
import * as recordings from './recordings';
import * as report from './report';
import * as reviewQueue from './review-queue';
import * as reviewSheet from './review-sheet';
import * as reviews from './reviews';
import * as runSets from './run-sets';
import * as scenarioGeneration from './scenario-generation';
import * as scenarioHistory from './scenario-history';
import * as scenarioLint from './scenario-lint';
import * as scenarioRuns from './scenario-runs';
import * as scenarioTrial from './scenario-trial';
import * as scenarios from './scenarios';
import * as schedules from './schedules';
import * as signIn from './sign-in';
import * as speechMeasures from './speech-measures';
import * as statistics from './statistics';
import * as startRun from './start-run';
import * as testRuns from './test-runs';
import * as testSuites from './test-suites';
import * as transcripts from './transcripts';
import * as webhooks from './webhooks';
import type { Operation } from './operation';

const FILES = [
  agentHistory,
  agentTrials,
  agents,
  agreement,
  audit,
  calibrations,
  comparison,
  derivedRuns,
  events,
  exportFiles,
  grid,
  health,
  inspection,
  keys,
  me,
  metrics,
  recordings,
  report,
  reviewQueue,
  reviewSheet,
  reviews,
  runSets,
  scenarioGeneration,
  scenarioHistory,
  scenarioLint,
  scenarioRuns,
  scenarioTrial,
  scenarios,
  schedules,
  signIn,
  speechMeasures,
  statistics,
  startRun,
  testRuns,
  testSuites,
  transcripts,
  webhooks,
] as const;

type OperationsOf<File> = File extends unknown ? Extract<File[keyof File], Operation> : never;

/** One of the operations, each with its exact type. */
export type AnyOperation = OperationsOf<(typeof FILES)[number]>;

/** All operations of the API. */
export const OPERATIONS: readonly Operation[] = FILES.flatMap((file): readonly unknown[] => Object.values(file)).filter(
  isOperation,
);

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answers' in value;
}
