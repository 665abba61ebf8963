import type { TestRunListItem } from '../../../contract/test-runs';

type Named = Pick<TestRunListItem, 'agent_name' | 'agent_version' | 'name' | 'test_run_id'>;

/** Of what a run is called, from what a reader knows best to what no other run has. */
const PARTS: readonly ((run: Named) => string)[] = [
  ({ agent_name }) => agent_name,
  ({ agent_version }) => (agent_version === null ? '' : ` ${agent_version}`),
  ({ name }) => (name === null ? '' : `, ${name}`),
  ({ test_run_id }) => ` (${test_run_id})`,
];

/** What tells the runs of a set apart, no longer than it needs to be: the agents, with their versions where two are the same, and so on. */
export function titlesOf(runs: readonly Named[]): string[] {
  let titles = runs.map(() => '');
  for (const part of PARTS) {
    titles = runs.map((run, place) => `${titles[place] ?? ''}${part(run)}`);
    if (new Set(titles).size === runs.length) break;
  }
  return titles;
}
