import { heading } from './report-contents';
import { actTable, actWords, severitiesIn, type Act } from './acts';
import { Html, html, counted } from './html';
import type { ReportView } from './report.view';

type Violation = ReportView['must_pass_violations']['shown'][number];

/** The same act in several trials of a scenario, with all different words and reasons that were recorded. */
interface Repeated {
  readonly criterion: string;
  readonly kind: string;
  readonly trials: number[];
  readonly quotes: Set<string>;
  readonly rationales: Set<string>;
  readonly check: string | null;
}

/** Must-pass violations, scenario by scenario: what several trials have in common is told once. */
export function violations(report: ReportView): Html {
  const {
    must_pass_violations: { total, shown },
    statistics,
  } = report;
  if (total === 0) {
    return html`<section>
      ${heading('must-pass-violations')}
      <p>None was found in ${counted(statistics.graded, 'graded conversation')}.</p>
    </section>`;
  }
  const scenarios = new Map<string, { name: string; acts: Map<string, Repeated> }>();
  for (const violation of shown) {
    const scenario = scenarios.get(violation.scenario_id) ?? {
      name: violation.scenario_name,
      acts: new Map<string, Repeated>(),
    };
    scenarios.set(violation.scenario_id, scenario);
    add(scenario.acts, violation);
  }
  return html`<section>
    ${heading('must-pass-violations')}
    <p>
      ${total} in all, scenario by scenario. The words and calls are the agent’s own, as
      recorded${shown.length < total ? `: of the first ${shown.length}; the others follow in a table` : ''}.
    </p>
    ${[...scenarios.values()].map(
      ({ name, acts }) =>
        html`<h3>${name}</h3>
          ${[...acts.values()].map(act)}`,
    )}
    ${withoutWords(report)}
  </section>`;
}

/** What the words of the report have no room for, so that none is missing. */
function withoutWords(report: ReportView): Html {
  const told = new Set(report.must_pass_violations.shown.map(keyOf));
  const untold = report.statistics.must_pass_violations.filter((one) => !told.has(keyOf(one)));
  return untold.length === 0 ? html`` : actTable(untold, severitiesIn(report));
}

function keyOf({ scenario_run_id: run, kind, criterion }: Act): string {
  return JSON.stringify([run, kind, criterion]);
}

function add(acts: Map<string, Repeated>, { criterion, kind, trial, words, rationale, check }: Violation): void {
  const key = `${kind} ${criterion}`;
  const found = acts.get(key) ?? { criterion, kind, trials: [], quotes: new Set(), rationales: new Set(), check };
  acts.set(key, found);
  if (!found.trials.includes(trial)) found.trials.push(trial);
  for (const { turn, quote, call, from_ms: from, recording_sha256: hash } of words) {
    const when = from === undefined ? '' : `, ${(from / 1_000).toFixed(1)} s into the call`;
    const heard = hash ? ` (recording ${hash})` : '';
    found.quotes.add(`Turn ${turn}${call === undefined ? '' : ', called'}${when}: ${quote}${heard}`);
  }
  if (rationale !== '') found.rationales.add(rationale);
}

function act({ criterion, kind, trials, quotes, rationales, check }: Repeated): Html {
  return html`<div class="finding">
    <p><b>${actWords(kind)}</b> in ${trials.length === 1 ? 'trial' : 'trials'} ${trials.join(', ')}: ${criterion}</p>
    ${[...quotes].map((quote) => html`<blockquote>${quote}</blockquote>`)}
    <p class="small">
      <b>${check === null ? 'The judge' : 'A rule'}:</b>
      ${rationales.size === 0 ? 'gave no reason' : [...rationales].join(' / ')}
    </p>
  </div>`;
}
