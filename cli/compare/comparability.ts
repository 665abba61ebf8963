import type { ScenarioRun, TestRun } from '../connection/answers';
import { isOver } from '../watch/watch-run';

/** Why a difference between two runs may come from something else than the agent: sentences, none when they are alike. */
export function doubtsAbout(
  before: { readonly run: TestRun; readonly scenarioRuns: readonly ScenarioRun[] },
  after: { readonly run: TestRun; readonly scenarioRuns: readonly ScenarioRun[] },
): string[] {
  const doubts: string[] = [];
  for (const { run } of [before, after]) {
    if (!isOver(run)) doubts.push(`${run.test_run_id} is still ${run.status}.`);
  }
  for (const [what, field] of FIELDS) {
    const [was, is] = [before.run[field], after.run[field]];
    if (was !== is) doubts.push(`${what}: ${String(was)} before, ${String(is)} after.`);
  }
  const [was, is] = [castOf(before.scenarioRuns), castOf(after.scenarioRuns)];
  if (was !== null && is !== null && was !== is) doubts.push(`Patient and judge: ${was} before, ${is} after.`);
  return doubts;
}

const FIELDS = [
  ['Pass threshold', 'pass_threshold'],
  ['Turns', 'max_turns'],
] as const;

/** Who played and judged, by the metadata of the first scenario run that says so. */
function castOf(scenarioRuns: readonly ScenarioRun[]): string | null {
  for (const { metadata } of scenarioRuns) {
    const cast = [metadata['tester'], metadata['judge']].map(nameOf);
    if (cast.every((name) => name !== null)) return cast.join(' and ');
  }
  return null;
}

function nameOf(actor: unknown): string | null {
  if (typeof actor !== 'object' || actor === null || !('name' in actor) || typeof actor.name !== 'string') return null;
  return 'model' in actor && typeof actor.model === 'string' ? `${actor.name} ${actor.model}` : actor.name;
}
