import { Html, html } from './html';
import type { ReportView } from './report.view';
import { counted } from './writing';

type Violation = ReportView['must_pass_violations']['shown'][number];

/** The same act in several trials of a scenario, with all different words and reasons that were recorded. */
interface Repeated {
  readonly criterion: string;
  readonly kind: string;
  readonly trials: number[];
  readonly quotes: Set<string>;
  readonly rationales: Set<string>;
}

/** Must-pass violations, scenario by scenario: what several trials have in common is told once. */
export function violations({ must_pass_violations: { total, shown }, statistics }: ReportView): Html {
  if (total === 0) {
    return html`<section>
      <h2>Must-pass violations</h2>
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
    <h2>Must-pass violations</h2>
    <p>
      ${total} in all${shown.length < total ? `; the first ${shown.length} are shown` : ''}, scenario by scenario. The
      words are the agent’s own, as recorded.
    </p>
    ${[...scenarios.values()].map(
      ({ name, acts }) =>
        html`<h3>${name}</h3>
          ${[...acts.values()].map(act)}`,
    )}
  </section>`;
}

function add(acts: Map<string, Repeated>, { criterion, kind, trial, words, rationale }: Violation): void {
  const key = `${kind} ${criterion}`;
  const found = acts.get(key) ?? { criterion, kind, trials: [], quotes: new Set(), rationales: new Set() };
  acts.set(key, found);
  if (!found.trials.includes(trial)) found.trials.push(trial);
  for (const { turn, quote } of words) found.quotes.add(`Turn ${turn}: ${quote}`);
  if (rationale !== '') found.rationales.add(rationale);
}

function act({ criterion, kind, trials, quotes, rationales }: Repeated): Html {
  return html`<div class="finding">
    <p>
      <b>${kind === 'committed' ? 'Did' : 'Left undone'}</b> in ${trials.length === 1 ? 'trial' : 'trials'}
      ${trials.join(', ')}: ${criterion}
    </p>
    ${[...quotes].map((quote) => html`<blockquote>${quote}</blockquote>`)}
    <p class="small"><b>The judge:</b> ${rationales.size === 0 ? 'gave no reason' : [...rationales].join(' / ')}</p>
  </div>`;
}
