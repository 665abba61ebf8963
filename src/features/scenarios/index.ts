/**
 * Scenarios: stored with their revisions, drafted, linted, read from files and written to them. The starter library and the JSON
 * Schema of scenario files come from here too.
 */

// Stored scenarios.
export { ScenariosModule } from './scenarios.module';
export { ScenariosStore, ScenarioRevisionsStore, type NewScenario } from './scenarios.store';
export { TrialAgent } from './try-scenario';
export { ScenarioPurgeStore } from './scenario-purge.store';
export { ScenarioSelectionStore } from './scenario-selection.store';

// Scenarios in files.
export { scenarioFile } from './scenario-file';
export { loadStarterLibrary, seedStarterLibrary, libraryFolder, type ScenarioSeeds } from './starter-library';
export { SCHEMA_FILE } from './files/scenario-json-schema';
