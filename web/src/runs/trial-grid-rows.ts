import { type DecidedCriterion, isMustPass, isUsualPatient, missedOf, patientName } from '../../../src/domain';
import type { ScenarioRunView } from '../../../contract/scenario-runs';

interface Held extends Pick<
  ScenarioRunView,
  | 'id'
  | 'scenario_id'
  | 'scenario_name'
  | 'scenario_category'
  | 'scenario_severity'
  | 'trial'
  | 'patient'
  | 'status'
  | 'score_percent'
> {
  readonly criteria_results: readonly DecidedCriterion[] | null;
}

/** One way to hold each conversation: a trial with a patient. */
export interface GridColumn {
  readonly trial: number;
  /** Null for the usual one. */
  readonly patient: string | null;
}

export interface GridCell {
  readonly id: string;
  readonly status: ScenarioRunView['status'];
  readonly score: number | null;
  /** A must-pass criterion was violated. */
  readonly isGrave: boolean;
}

/** A scenario with its conversations, one for each column; null where the run has none. */
export interface GridRow {
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly severity: string | null;
  readonly cells: readonly (GridCell | null)[];
  readonly graded: number;
  readonly passed: number;
  /** Conversations in which a must-pass criterion was violated. */
  readonly grave: number;
}

export interface Grid {
  readonly columns: readonly GridColumn[];
  /** The worst first: violations of what must pass, then the share that passed, then the order of the run. */
  readonly rows: readonly GridRow[];
}

/** Scenarios × trials (and patients) of a run. @param scenarioRuns in the run's order */
export function gridOf(scenarioRuns: readonly Held[]): Grid {
  const columns = new Map<string, GridColumn & { readonly patientPlace: number }>();
  const patients = new Map<string, number>();
  const scenarios = new Map<string, { readonly first: Held; readonly cells: Map<string, GridCell> }>();
  for (const held of scenarioRuns) {
    const named = patientName(held.patient);
    if (!patients.has(named)) patients.set(named, patients.size);
    const column = `${held.trial} ${named}`;
    const patient = isUsualPatient(held.patient) ? null : named;
    columns.set(column, { trial: held.trial, patient, patientPlace: patients.get(named) ?? 0 });
    const scenario = scenarios.get(held.scenario_id) ?? { first: held, cells: new Map<string, GridCell>() };
    scenario.cells.set(column, {
      id: held.id,
      status: held.status,
      score: held.score_percent,
      isGrave: missedOf(held.criteria_results).some(isMustPass),
    });
    scenarios.set(held.scenario_id, scenario);
  }
  const inOrder = [...columns].sort(
    ([, one], [, other]) => one.trial - other.trial || one.patientPlace - other.patientPlace,
  );
  const rows = [...scenarios.values()].map(({ first, cells }): GridRow => {
    const all = [...cells.values()];
    return {
      id: first.scenario_id,
      name: first.scenario_name,
      category: first.scenario_category,
      severity: first.scenario_severity,
      cells: inOrder.map(([key]) => cells.get(key) ?? null),
      graded: all.filter(({ status }) => status === 'passed' || status === 'failed').length,
      passed: all.filter(({ status }) => status === 'passed').length,
      grave: all.filter(({ isGrave }) => isGrave).length,
    };
  });
  return {
    columns: inOrder.map(([, { trial, patient }]) => ({ trial, patient })),
    rows: rows.sort((one, other) => other.grave - one.grave || shareOf(one) - shareOf(other)),
  };
}

/** Of what was graded; where nothing was, after all others. */
function shareOf({ graded, passed }: GridRow): number {
  return graded === 0 ? 2 : passed / graded;
}
