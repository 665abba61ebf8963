import { Html, html, counted, day, percentOf, spaced } from './html';
import { reviewed } from './report-reviews';
import { annex, casts, changes, fidelity, hazardTable, judgeTable } from './report-tables';
import type { ReportView, SignedReport } from './report.view';

/** One file that prints on A4: no script, nothing loaded from anywhere. All text in it that comes from outside is escaped. */
export function reportPage({ report, sha256 }: SignedReport): string {
  const { title } = report;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main>
          ${firstPage(report, sha256)} ${casts(report)} ${byCategory(report)} ${violations(report)}
          ${hazardTable(report)} ${changes(report)} ${fidelity(report)} ${disputed(report)} ${reviewed(report)}
          ${judgeTable(report)} ${limits(report)} ${signatures(sha256)} ${annex(report)}
        </main>
      </body>
    </html> `.text;
}

function firstPage({ title, nature, warnings, statistics, examined }: ReportView, sha256: string): Html {
  const { graded_pass_rate: rate, graded, total, passed, coverage, must_pass_violations: found } = statistics;
  const { run, agent } = examined;
  return html`<header>
      <h1>${title}</h1>
      <p>
        ${run.name ?? run.test_run_id}${run.ended_at === null ? '' : `, ended ${day(run.ended_at)}`}. Agent:
        ${agent.name}${agent.version === null ? '' : `, version ${agent.version}`}.
      </p>
      <p class="nature">${nature}</p>
    </header>
    ${warned(warnings)}
    <section class="figures">
      <div>
        <p class="label">Passed of what was graded</p>
        <p class="number">${percentOf(rate.value)}</p>
        <p>
          ${rate.value === null ? 'Nothing was graded.' : html`95 % interval ${percentOf(rate.low)} to ${percentOf(rate.high)}`}
        </p>
        ${bar(rate)}
      </div>
      <div>
        <p class="label">Coverage</p>
        <p class="number">${percentOf(coverage)}</p>
        <p>${graded} of ${total} conversations have a verdict; ${passed} passed.</p>
      </div>
      <div>
        <p class="label">Must-pass violations</p>
        <p class="number">${found.length}</p>
        <p>
          in ${counted(new Set(found.map(({ scenario_run_id: id }) => id)).size, 'conversation')}, of
          ${counted(statistics.scenarios, 'scenario')} × ${counted(statistics.trials, 'trial')}
        </p>
      </div>
    </section>
    <p class="small">
      SHA-256 of this report’s canonical JSON (RFC 8785): <span class="hash">${sha256}</span>. The JSON is to be had
      with <code>osce report ${run.test_run_id} --format json</code>; <code>osce report --verify FILE</code> computes it
      again.
    </p>`;
}

function warned(warnings: readonly string[]): Html {
  if (warnings.length === 0) {
    return html`<section class="warnings">
      <h2>Before the numbers</h2>
      <p>
        The examiners were language models, the judge was calibrated as it marked, coverage is 95 % or more, and
        patients misbehaved in 5 % of conversations at most.
      </p>
    </section>`;
  }
  return html`<section class="warnings">
    <h2>Read this before the numbers</h2>
    <ul>
      ${warnings.map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
}

/** A table of up to so many rows stands on one page. */
const MOST_TOGETHER = 20;

function byCategory({ statistics }: ReportView): Html {
  const { by_category: categories, pass_hat: hats, unstable, excluded } = statistics;
  return html`<section class="${categories.length > MOST_TOGETHER ? 'long' : 'together'}">
    <h2>By category</h2>
    <table>
      <thead>
        <tr>
          <th>Category</th>
          <th class="n">Passed</th>
          <th class="n">Rate</th>
          <th class="n">95 % interval</th>
          <th>0 % to 100 %</th>
        </tr>
      </thead>
      <tbody>
        ${categories.map(
          (one) =>
            html`<tr>
              <td>${spaced(one.category)}</td>
              <td class="n">${one.passed} of ${one.graded}</td>
              <td class="n">${percentOf(one.value)}</td>
              <td class="n">${percentOf(one.low)} – ${percentOf(one.high)}</td>
              <td class="bar">${bar(one)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      hats.length < 2
        ? ''
        : html`<p>
            Chance that all of several trials of a scenario pass:
            ${hats
              .filter(({ value }) => value !== null)
              .map(({ k, value }) => `${k} of ${k}: ${percentOf(value)}`)
              .join('; ')}.
          </p>`
    }
    ${unstable.length === 0 ? '' : html`<p>The trials of ${unstable.length} ${unstable.length === 1 ? 'scenario' : 'scenarios'} disagree: ${unstable.map(({ scenario_name: name, passed, graded }) => `${name} (${passed} of ${graded})`).join('; ')}.</p>`}
    ${excluded.length === 0 ? '' : html`<p>Without a verdict: ${excluded.map(({ status, error_code: code, count }) => `${count} ${status}${code === null ? '' : ` (${code})`}`).join(', ')}. They count against coverage, never as passed.</p>`}
  </section>`;
}

function disputed({ disputed: { total, shown } }: ReportView): Html {
  return html`<section>
    <h2>Disputed marks</h2>
    ${
      total === 0
        ? html`<p>No two examinations of a decisive criterion differed, or none was examined twice.</p>`
        : html`<p>
              In ${total} ${total === 1 ? 'mark' : 'marks'} independent examinations of the same criterion
              differed${shown.length < total ? `; the first ${shown.length} are shown` : ''}.
            </p>
            <table>
              <thead>
                <tr>
                  <th>Scenario, trial</th>
                  <th>Criterion</th>
                  <th>Votes</th>
                  <th>Stands</th>
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  (one) =>
                    html`<tr>
                      <td>${one.scenario_name}, ${one.trial}</td>
                      <td>${one.criterion}</td>
                      <td>${one.votes.join(', ')}</td>
                      <td>${one.decision}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
  </section>`;
}

function limits({ limits: sentences }: ReportView): Html {
  return html`<section>
    <h2>What this does not show</h2>
    <ul>
      ${sentences.map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
}

function signatures(sha256: string): Html {
  const roles = ['Examined by', 'Reviewed by (clinical)', 'Decision taken by'];
  return html`<section class="signatures">
    <h2>Signatures</h2>
    <p class="small">Whoever signs, signs for the report with the SHA-256 <span class="hash">${sha256}</span>.</p>
    <table>
      <thead>
        <tr>
          <th>Role</th>
          <th>Name</th>
          <th>Date</th>
          <th>Signature</th>
        </tr>
      </thead>
      <tbody>
        ${roles.map(
          (role) =>
            html`<tr>
              <td>${role}</td>
              <td></td>
              <td></td>
              <td></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** An interval between 0 and 100 %, as a line with a mark; readable without colour. */
function bar({ value, low, high }: { value: number | null; low: number | null; high: number | null }): Html {
  if (value === null || low === null || high === null) return html``;
  const [from, to, at] = [low, high, value].map((one) => Math.round(one * 10) / 10);
  return html`<svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <line x1="0" y1="7.5" x2="100" y2="7.5" stroke="#999" stroke-width="0.5" vector-effect="non-scaling-stroke" />
    <line
      x1="${from ?? 0}"
      y1="4"
      x2="${to ?? 0}"
      y2="4"
      stroke="#000"
      stroke-width="1"
      vector-effect="non-scaling-stroke"
    />
    <line
      x1="${at ?? 0}"
      y1="0.5"
      x2="${at ?? 0}"
      y2="7.5"
      stroke="#000"
      stroke-width="3"
      vector-effect="non-scaling-stroke"
    />
  </svg>`;
}

/** For A4 and for screens; nothing is told by colour alone. */
const STYLE = `
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
* { box-sizing: border-box; }
html { font: 10pt/1.45 Georgia, "Times New Roman", serif; color: #000; background: #fff; }
body { max-width: 178mm; margin: 0 auto; padding: 0; }
h1, h2, h3, th, .label, nav { font-family: "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 20pt; line-height: 1.15; margin: 0 0 2mm; overflow-wrap: anywhere; }
h2 { font-size: 13pt; margin: 9mm 0 2.5mm; padding-top: 1.5mm; border-top: 1.5pt solid #000; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 5mm 0 1.5mm; break-after: avoid; }
p, ul, ol { margin: 0 0 2.5mm; orphans: 3; widows: 3; }
ul, ol { padding-left: 6mm; }
li { margin-bottom: 1.2mm; overflow-wrap: anywhere; }
.nature { font-style: italic; }
.warnings { border: 2pt solid #000; padding: 3mm 4mm 1.5mm; margin: 5mm 0; break-inside: avoid; }
.warnings h2 { border: 0; margin: 0 0 1.5mm; padding: 0; font-size: 11pt; }
.number { font: bold 30pt/1 "Helvetica Neue", Arial, sans-serif; margin: 0; }
.figures { display: flex; gap: 8mm; align-items: flex-start; margin: 5mm 0; break-inside: avoid; }
.figures > div { flex: 1; }
table { width: 100%; border-collapse: collapse; margin: 0 0 4mm; font-size: 8.8pt; line-height: 1.35; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 1.2mm 3mm 1.2mm 0; border-bottom: 0.5pt solid #999; overflow-wrap: anywhere; }
th { font-size: 8pt; border-bottom: 1pt solid #000; overflow-wrap: normal; }
.s { white-space: nowrap; overflow-wrap: normal; }
td ul { padding-left: 3.5mm; margin: 0; }
td li { margin: 0 0 0.6mm; }
td.n, th.n { text-align: right; white-space: nowrap; overflow-wrap: normal; padding-right: 3mm; }
td.bar { width: 42mm; padding-top: 2mm; }
dl { display: grid; grid-template-columns: 38mm 1fr; gap: 0.8mm 4mm; margin: 0 0 4mm; font-size: 9pt; }
dt { font-weight: bold; } dd { margin: 0; overflow-wrap: anywhere; }
code, .hash { font: 7.8pt/1.4 "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
blockquote { margin: 1mm 0 1mm 0; padding-left: 3mm; border-left: 1.5pt solid #000; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.finding { break-inside: avoid-page; margin-bottom: 3mm; }
.finding p { margin-bottom: 1mm; }
.together { break-inside: avoid; }
.small { font-size: 8.5pt; }
.signatures { break-inside: avoid; }
.signatures td { height: 13mm; }
.signatures th { width: 30%; }
.signatures th:nth-child(1) { width: 25%; }
.signatures th:nth-child(3) { width: 15%; }
svg { display: block; }
@media screen { body { padding: 12mm 6mm; } }
`;

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
function violations({ must_pass_violations: { total, shown }, statistics }: ReportView): Html {
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
