/** Test runs and their scenario runs, as clients start, cancel, list, read and export them. */

export { RunsModule } from './runs.module';
export { ClusterCountsStore } from './cluster-counts.store';
export { ScenarioRunsStore } from './scenario-runs.store';
export { TestRunsStore } from './test-runs.store';
