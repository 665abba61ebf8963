/** What a run’s numbers say, two runs compared, several in a grid, and how an agent or a scenario did over time. */

export { AgentHistoryStore } from './history/agent-history.store';
export { ScenarioHistoryStore } from './history/scenario-history.store';
export { GridStore } from './grid.store';
export { RunPairsStore } from './run-pairs.store';
export { RunStatisticsStore } from './run-statistics.store';
export { TwinPairsStore } from './twin-pairs.store';
