import { type DecidedCriterion, isMustPass, missedOf } from '../../../src/domain';
import type { ScenarioRunView } from '../../../contract/scenario-runs';

interface Held extends Pick<ScenarioRunView, 'id' | 'scenario_id' | 'scenario_name' | 'status'> {
  readonly criteria_results: readonly DecidedCriterion[] | null;
}

/** How a scenario fared in one run. */
export interface RunCell {
  readonly graded: number;
  readonly passed: number;
  /** Conversations in which a must-pass criterion was violated. */
  readonly grave: number;
  /** All conversations, with errors and those that were canceled. */
  readonly held: number;
  /** The conversation to look at first: one with a violation, else one that failed, else the first. */
  readonly worst: string;
}

/** A scenario with its cells, one for each run; null where the run does not have the scenario. */
export interface RunsRow {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly (RunCell | null)[];
}

export type Sorting = 'worst' | 'differing';

/** Scenarios × runs: the union of their scenarios. @param runs the scenario runs of each run, in the run's order */
export function runsGridOf(runs: readonly (readonly Held[])[], sorting: Sorting): RunsRow[] {
  const names = new Map<string, string>();
  const cells = runs.map((scenarioRuns) => {
    const held = new Map<string, Held[]>();
    for (const one of scenarioRuns) {
      names.set(one.scenario_id, one.scenario_name);
      held.set(one.scenario_id, [...(held.get(one.scenario_id) ?? []), one]);
    }
    return new Map([...held].map(([id, conversations]) => [id, cellOf(conversations)]));
  });
  const rows = [...names].map(([id, name]) => ({ id, name, cells: cells.map((of) => of.get(id) ?? null) }));
  const keyOf = sorting === 'worst' ? badness : spread;
  return rows
    .map((row) => ({ row, key: keyOf(row.cells) }))
    .sort((one, other) => other.key[0] - one.key[0] || other.key[1] - one.key[1])
    .map(({ row }) => row);
}

function cellOf(conversations: readonly Held[]): RunCell {
  const isGrave = ({ criteria_results }: Held) => missedOf(criteria_results).some(isMustPass);
  const failed = conversations.filter(({ status }) => status === 'failed');
  const grave = failed.filter(isGrave);
  const passed = conversations.filter(({ status }) => status === 'passed').length;
  const worst = grave[0] ?? failed[0] ?? conversations[0];
  return {
    graded: failed.length + passed,
    passed,
    grave: grave.length,
    held: conversations.length,
    worst: worst?.id ?? '',
  };
}

type Key = readonly [first: number, second: number];

/** Violations in all runs, then the share of what did not pass. */
function badness(cells: readonly (RunCell | null)[]): Key {
  const all = cells.filter((cell) => cell !== null);
  const [graded, passed, grave] = [sum(all, 'graded'), sum(all, 'passed'), sum(all, 'grave')];
  return [grave, graded === 0 ? -1 : 1 - passed / graded];
}

/** How far the shares that passed lie apart, then the violations. */
function spread(cells: readonly (RunCell | null)[]): Key {
  const shares = cells.flatMap((cell) => (cell === null || cell.graded === 0 ? [] : [cell.passed / cell.graded]));
  const graves = cells.flatMap((cell) => (cell === null ? [] : [cell.grave]));
  const reach = (of: readonly number[]) => (of.length < 2 ? 0 : Math.max(...of) - Math.min(...of));
  return [reach(shares), reach(graves)];
}

function sum(cells: readonly RunCell[], of: 'graded' | 'passed' | 'grave'): number {
  return cells.reduce((total, cell) => total + cell[of], 0);
}
