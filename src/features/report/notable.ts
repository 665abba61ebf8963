import { z } from 'zod';
import type { NotableScenarioRun } from './run-report.store';
import type { ReportView } from './report.view';

const MOST_SHOWN = 200;
const MOST_QUOTES = 5;
const LONGEST_TEXT = 1_500;

type Violations = ReportView['must_pass_violations']['shown'];
type Disputed = ReportView['disputed']['shown'];
type PatientFaults = ReportView['patients']['shown'];

/** Must-pass violations with the words that they rest on: the first 200. */
export function violationsIn(notable: readonly NotableScenarioRun[]): Violations {
  return notable
    .flatMap((run) =>
      run.findings.violations.map(({ criterion, kind }) => {
        const mark = run.criteria_results?.find((one) => one.criterion === criterion);
        return {
          ...placeOf(run),
          criterion,
          kind,
          decision: mark?.decision ?? '',
          rationale: shortened(mark?.rationale ?? ''),
          check: mark?.check ?? null,
          words: (mark?.evidence ?? [])
            .slice(0, MOST_QUOTES)
            .map(({ quote, ...place }) => ({ ...place, quote: shortened(quote) })),
        };
      }),
    )
    .slice(0, MOST_SHOWN);
}

/** Criteria whose examinations differed: the first 200. */
export function disputedIn(notable: readonly NotableScenarioRun[]): Disputed {
  return notable
    .flatMap((run) =>
      (run.criteria_results ?? [])
        .filter(({ disputed }) => disputed === true)
        .map(({ criterion, decision, votes = [], rationale }) => ({
          ...placeOf(run),
          criterion,
          decision,
          votes: [...votes],
          rationale: shortened(rationale),
        })),
    )
    .slice(0, MOST_SHOWN);
}

const storedFaults = z
  .array(
    z.object({
      turn: z.int().nullish(),
      kind: z.string().default('unknown'),
      severity: z.string().default('unknown'),
      text: z.string().default(''),
    }),
  )
  .catch([]);

/** What patients did wrong, in their words: the first 200. */
export function patientFaultsIn(notable: readonly NotableScenarioRun[]): PatientFaults {
  return notable
    .flatMap((run) =>
      storedFaults.parse(run.patient_faults ?? []).map(({ turn = null, kind, severity, text }) => ({
        ...placeOf(run),
        turn,
        kind,
        severity,
        text: shortened(text),
      })),
    )
    .slice(0, MOST_SHOWN);
}

function placeOf({ id, scenario_id, scenario_name, trial }: NotableScenarioRun) {
  return { scenario_run_id: id, scenario_id, scenario_name, trial };
}

/** Long texts are cut: the whole of each is in the run. */
export function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;
}
