import { heading } from './report-contents';
import { Html, html, percentOf, twoDecimals } from './html';
import type { ReportView } from './report.view';

type Agreement = NonNullable<ReportView['reviews']['agreement']>;
type Measure = Agreement['with_judge']['raw'];

/** What people decided about the same conversations, and how far the judge agrees with them. */
export function reviewed({ reviews }: ReportView): Html {
  const { scenario_runs: count, changed, pass_rate: rate, shown, agreement } = reviews;
  if (count === 0 || agreement === null) {
    return html`<section>
      ${heading('reviews')}
      <p>Nobody has reviewed a conversation of this run: all marks are the judge’s alone.</p>
    </section>`;
  }
  return html`<section>
    ${heading('reviews')}
    <p>
      ${count} ${count === 1 ? 'conversation was' : 'conversations were'} reviewed; ${changed === 0 ? 'none' : changed}
      of them got another verdict than the judge gave. ${rate === null || rate.value === null ? '' : withReviews(rate)}
    </p>
    ${agreementTable(agreement)}
    <table>
      <thead>
        <tr>
          <th>Scenario, trial</th>
          <th>Reviewer</th>
          <th>Judge</th>
          <th>Review</th>
          <th>Comment</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (one) =>
            html`<tr>
              <td>${one.scenario_name}, ${one.trial}</td>
              <td>${one.reviewer} (${writtenAs(one)})</td>
              <td class="s">${verdict(one.judged)}</td>
              <td class="s">${verdict(one.passed)}</td>
              <td>${one.comment}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function agreementTable({ with_judge: judge, between_reviewers: between, corrected_pass_rate: corrected }: Agreement) {
  const rows: [string, Write, Measure, Measure | null][] = [
    ['Same decision', percentOf, judge.raw, between?.raw ?? null],
    ['Cohen’s κ', twoDecimals, judge.kappa, between?.kappa ?? null],
    ['Gwet’s AC1', twoDecimals, judge.ac1, between?.ac1 ?? null],
    ['Macro-F1', twoDecimals, judge.macro_f1, between?.macro_f1 ?? null],
    ['Faults found', percentOf, judge.sensitivity, null],
    ['No faults left alone', percentOf, judge.specificity, null],
  ];
  return html`<table>
      <thead>
        <tr>
          <th>Agreement</th>
          <th class="n">Judge with reviewers (${judge.pairs} decisions)</th>
          <th class="n">
            ${between === null ? 'Reviewers with each other' : `Reviewers with each other (${between.pairs})`}
          </th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, write, one, other]) =>
            html`<tr>
              <td>${name}</td>
              <td class="n">${measured(one, write)}</td>
              <td class="n">${other === null ? '–' : measured(other, write)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p>
      Pass rate corrected for the judge’s errors:
      ${
        corrected.value === null
          ? corrected.reason
          : `${percentOf(corrected.value)} (95 % interval ${percentOf(corrected.low)} to ${percentOf(corrected.high)}).`
      }
    </p>`;
}

type Write = (value: number | null) => string;

function measured({ value, low, high }: Measure, write: Write): string {
  return low === null || high === null ? write(value) : `${write(value)} (${write(low)} to ${write(high)})`;
}

function verdict(isPassed: boolean): string {
  return isPassed ? 'passed' : 'failed';
}

function withReviews({ value, low, high }: { value: number | null; low: number | null; high: number | null }): string {
  return `With the reviews in place of the judge ${percentOf(value)} passed (95 % interval ${percentOf(low)} to ${percentOf(high)}).`;
}

function writtenAs({ role, key_name: keyName, blind }: ReportView['reviews']['shown'][number]): string {
  return [role, ...(keyName === null ? [] : [`key ${keyName}`]), ...(blind ? [] : ['not blind'])].join(', ');
}
