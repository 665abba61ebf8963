import { spaced } from '../../domain';
import { Html, html, counted, day, percentOf } from './html';
import { contents, heading } from './report-contents';
import { bar, beforeAndNow, bySeverity, trialGrid } from './report-pictures';
import { reviewed } from './report-reviews';
import { annex, casts, changes, fidelity, hazardTable, judgeTable } from './report-tables';
import { STYLE } from './report-style';
import { besideTwins } from './report-twins';
import { violations } from './report-violations';
import type { ReportView, SignedReport } from './report.view';

/** One file that prints on A4: no script, nothing loaded from anywhere. All text in it that comes from outside is escaped. */
export function reportPage({ report, sha256 }: SignedReport): string {
  const { title } = report;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
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

function firstPage(report: ReportView, sha256: string): Html {
  const { title, nature, warnings, statistics, examined } = report;
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
    ${warned(warnings)} ${spokenIn(report)}
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
      <div class="gravest">
        <p class="label">Must-pass violations</p>
        <p class="number">${found.length}</p>
        <p>
          in ${counted(new Set(found.map(({ scenario_run_id: id }) => id)).size, 'conversation')}, of
          ${counted(statistics.scenarios, 'scenario')} × ${counted(statistics.trials, 'trial')}
        </p>
      </div>
    </section>
    ${trialGrid(report)}
    <div class="figures">${beforeAndNow(report)} ${bySeverity(report)}</div>
    ${besideTwins(report)} ${contents()}
    <p class="small">
      SHA-256 of this report’s canonical JSON (RFC 8785): <span class="hash">${sha256}</span>. The JSON is to be had
      with <code>osce report ${run.test_run_id} --format json</code>; <code>osce report --verify FILE</code> computes it
      again.
    </p>`;
}

/** How a spoken run was held and heard; nothing for one in text. */
function spokenIn({ spoken }: ReportView): Html {
  if (spoken === undefined) return html``;
  const { line, noise, voice, ear, timing_error_ms: error, turns, response_latency: latency } = spoken;
  return html`<section>
    <h2>Spoken, not written</h2>
    <p>
      The patient spoke with ${voice.engine} ${voice.version} (${voice.voice}) over the line
      ${spaced(line)}${noise === null ? '' : ` with the noise ${noise}`};
      ${
        ear === null
          ? 'no ear was set: the agent’s own account of its words was marked, where it had a voice'
          : html`what was heard by ${ear.engine} ${ear.model} was marked`
      }.
      ${error === null ? 'The error of the times is not known.' : `Times are right within ${error} ms (95 %).`}
    </p>
    <p>
      ${
        latency.p50_ms === null || latency.p95_ms === null
          ? html`${counted(latency.events, 'answer')} ${latency.events === 1 ? 'was' : 'were'} timed.`
          : html`The agent answered after ${seconds(latency.p50_ms.value)} (median of ${latency.events}),
            ${seconds(latency.p95_ms.value)} at the 95th percentile.`
      }
      ${turns.spoken} turns were spoken.
    </p>
    <ul>
      ${spoken.not_measurable.map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

function warned(warnings: readonly string[]): Html {
  if (warnings.length === 0) {
    return html`<section class="warnings">
      <h2>Before the numbers</h2>
      <p>
        The examiners were language models, the judge was calibrated as it marked, named clinicians have approved all
        scenarios as they were examined, coverage is 95 % or more, and patients misbehaved in 5 % of conversations at
        most.
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
    ${heading('by-category')}
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
    ${excluded.length === 0 ? '' : html`<p>Without a verdict: ${excluded.map(({ status, error_code: code, count }) => `${count} ${status}${code === null ? '' : ` (${spaced(code)})`}`).join(', ')}. They count against coverage, never as passed.</p>`}
  </section>`;
}

function disputed({ disputed: { total, shown } }: ReportView): Html {
  return html`<section>
    ${heading('disputed-marks')}
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
    ${heading('limits')}
    <ul>
      ${sentences.map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
}

function signatures(sha256: string): Html {
  const roles = ['Examined by', 'Reviewed by (clinical)', 'Decision taken by'];
  return html`<section class="signatures">
    ${heading('signatures')}
    <p class="small">Whoever signs, signs for the report with the SHA-256 <span class="hash">${sha256}</span>.</p>
    <p class="small">
      Keep this file: a report made after a later review, approval, calibration, twin or baseline has another hash.
    </p>
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
