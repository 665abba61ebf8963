import { Html, graded, html } from './html';
import type { ReportView } from './report.view';

/** A must-pass violation, wherever it is told. */
export interface Act {
  readonly scenario_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly criterion: string;
  /** `missed` or `committed` */
  readonly kind: string;
}

export function actWords(kind: string): string {
  return kind === 'committed' ? 'Did' : 'Not done';
}

/** The severities of the scenarios that the report lists, by their ids. */
export function severitiesIn({ examined: { scenarios } }: ReportView): ReadonlyMap<string, string | null> {
  return new Map(scenarios.map(({ scenario_id: id, severity }) => [id, severity]));
}

/** A row for each act of each scenario: what was done or not, and in which trials. */
export function actTable(all: readonly Act[], severities: ReadonlyMap<string, string | null>): Html {
  const acts = new Map<string, { first: Act; trials: Set<number> }>();
  for (const one of all) {
    const key = JSON.stringify([one.scenario_id, one.kind, one.criterion]);
    const found = acts.get(key) ?? { first: one, trials: new Set() };
    acts.set(key, found);
    found.trials.add(one.trial);
  }
  return html`<table>
    <thead>
      <tr>
        <th style="width:30%">Scenario</th>
        <th>Criterion</th>
        <th style="width:18%">In trials</th>
      </tr>
    </thead>
    <tbody>
      ${[...acts.values()].map(
        ({ first, trials }) =>
          html`<tr>
            <td>${graded(first.scenario_name, severities.get(first.scenario_id) ?? null)}</td>
            <td>${actWords(first.kind)}: ${first.criterion}</td>
            <td>${[...trials].join(', ')}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
