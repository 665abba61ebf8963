import { type DecidedCriterion, MUST_PASS_TAG, outcomeOf } from '../../../src/domain';
import type { ScenarioRunView } from '../../../contract/scenario-runs';

interface Held extends Pick<ScenarioRunView, 'id' | 'scenario_id' | 'scenario_name'> {
  readonly criteria_results: readonly DecidedCriterion[] | null;
}

/** How the criteria of one kind fared in one scenario, over all of its graded conversations. */
export interface HeatCell {
  /** Marks that the agent missed, and all marks. */
  readonly missed: number;
  readonly of: number;
  /** The first conversation in which one was missed, else the first. */
  readonly conversation: string;
}

export interface HeatRow {
  readonly id: string;
  readonly name: string;
  /** One for each kind; null where the scenario has no such criterion. */
  readonly cells: readonly (HeatCell | null)[];
}

export interface Heat {
  /** The name of each kind; null for criteria without a tag. */
  readonly kinds: readonly (string | null)[];
  readonly rows: readonly HeatRow[];
}

/** More columns than that are not read at a glance. */
const MOST_KINDS = 12;

/** Scenarios × kinds of criteria: must-pass first, then the kinds that were missed most often; the worst scenario on top. */
export function heatOf(scenarioRuns: readonly Held[]): Heat {
  const scenarios = new Map<string, { readonly name: string; readonly cells: Map<string | null, HeatCell> }>();
  const totals = new Map<string | null, { missed: number; of: number }>();
  for (const { id, scenario_id, scenario_name, criteria_results } of scenarioRuns) {
    if (criteria_results === null) continue;
    const scenario = scenarios.get(scenario_id) ?? { name: scenario_name, cells: new Map<string | null, HeatCell>() };
    scenarios.set(scenario_id, scenario);
    for (const result of criteria_results) {
      const missed = outcomeOf(result) === 'bad' ? 1 : 0;
      for (const kind of kindsOf(result)) {
        const cell = scenario.cells.get(kind) ?? { missed: 0, of: 0, conversation: id };
        const conversation = cell.missed === 0 && missed === 1 ? id : cell.conversation;
        scenario.cells.set(kind, { missed: cell.missed + missed, of: cell.of + 1, conversation });
        const total = totals.get(kind) ?? { missed: 0, of: 0 };
        totals.set(kind, { missed: total.missed + missed, of: total.of + 1 });
      }
    }
  }
  const kinds = [...totals]
    .sort(([one, some], [other, more]) => rankOf(one) - rankOf(other) || shareOf(more) - shareOf(some))
    .slice(0, MOST_KINDS)
    .map(([kind]) => kind);
  const rows = [...scenarios].map(([id, { name, cells }]) => ({
    id,
    name,
    cells: kinds.map((kind) => cells.get(kind) ?? null),
  }));
  return { kinds, rows: rows.sort((one, other) => missedIn(other, kinds) - missedIn(one, kinds)) };
}

/** Its tags; must-pass is a kind too. */
function kindsOf({ tags }: DecidedCriterion): readonly (string | null)[] {
  return tags.length === 0 ? [null] : [...new Set(tags)];
}

function rankOf(kind: string | null): number {
  return kind === MUST_PASS_TAG ? 0 : kind === null ? 2 : 1;
}

function shareOf({ missed, of }: { readonly missed: number; readonly of: number }): number {
  return of === 0 ? 0 : missed / of;
}

/** Shares added up over the kinds; those of what must pass weigh more than any number of others. */
function missedIn({ cells }: HeatRow, kinds: readonly (string | null)[]): number {
  const shares = cells.map((cell, place) =>
    cell === null ? 0 : shareOf(cell) * (kinds[place] === MUST_PASS_TAG ? 100 : 1),
  );
  return shares.reduce((sum, share) => sum + share, 0);
}
