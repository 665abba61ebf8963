/**
 * The two statecharts, of a test run and of a scenario run: which states there are and what leads from one to the next. They
 * decide and do nothing; the engine hands in what talks, marks and stores.
 */

// The charts.
export {
  listDispatched,
  testRunMachine,
  type Dispatched,
  type Finished,
  type Started,
  type TestRunContext,
  type TestRunInput,
} from './test-run.machine';
export { scenarioRunMachine } from './scenario-run.machine';
export { turnNumberOf, type ScenarioRunContext, type ScenarioRunInput } from './scenario-run.context';

// What a scenario run needs from the engine.
export type { Conversation, Recorder } from './execution';

// How a chart and a position in it are read and worded.
export { statePath, defineChart, type ChartDefinition } from './chart-definition';
export { eventWords, nameOf } from './transition-words';
export { drawChart } from './drawing';
