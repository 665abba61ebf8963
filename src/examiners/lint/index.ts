/** The lint of scenarios: what in a scenario will make its marks worth little, found without running it. */

export { FIXED_TEXTS } from './too-easy-passes';
export type { Finding, LintedScenario } from './read-scenario';
