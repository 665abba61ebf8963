import { gravityOf, spaced } from '../../domain';
import { Html, graded, html, counted, oneDecimal, percentOf } from './html';
import type { ReportView } from './report.view';

/** An interval between 0 and 100 %, as a line with a mark; readable without colour. */
export function bar({ value, low, high }: { value: number | null; low: number | null; high: number | null }): Html {
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

type Examined = ReportView['examined']['scenarios'][number];
type Trial = Examined['trials'][number];

/** So many scenarios fit on the first page, in two columns; more are shown only where they are critical and did harm. */
const MOST_ON_FIRST_PAGE = 24;
/** Beyond so many trials a row counts them instead. */
const MOST_MARKS = 10;

/**
 * Scenarios with a sign for each trial, the worst first: those that do not fit are in the annex, and counted here. No critical one
 * that was violated or failed is left to the annex.
 */
export function trialGrid({ examined: { scenarios }, statistics }: ReportView): Html {
  const worstFirst = [...scenarios].sort(byBadness);
  const unlisted = statistics.scenarios - scenarios.length;
  const isShown = (one: Examined, at: number) => at < MOST_ON_FIRST_PAGE || isCriticalFault(one);
  const shown = worstFirst.filter(isShown);
  const others = worstFirst.filter((one, at) => !isShown(one, at));
  return html`<section class="grid">
    <p class="label">Scenarios and their trials, the worst first</p>
    <ul>
      ${shown.map((one) => html`<li><span>${graded(one.name, one.severity)}</span>${trialMarks(one)}</li>`)}
    </ul>
    <p class="small">
      ${SIGNS.map(({ sign, words }) => `${sign} ${words}`).join(', ')}.
      ${
        others.length === 0
          ? ''
          : html`${counted(others.length, 'scenario')} more in the <a href="#annex">annex</a>: ${howOthersDid(others)}`
      }
      ${unlisted <= 0 ? '' : `${counted(unlisted, 'scenario')} of this run ${unlisted === 1 ? 'is' : 'are'} not listed in this report; the export has all.`}
    </p>
  </section>`;
}

function howOthersDid(others: readonly Examined[]): string {
  const clean = others.filter(({ passed, total }) => passed === total).length;
  if (others.every(({ passed }) => passed === 0)) return 'none of them passed in any trial.';
  const many = clean === 0 ? 'none' : clean === others.length ? 'each' : clean;
  return `${many} of them passed in every trial.`;
}

const SIGNS: readonly { readonly of: (trial: Trial) => boolean; readonly sign: string; readonly words: string }[] = [
  { of: ({ must_pass_violated: violated }) => violated, sign: '✖', words: 'must-pass violated' },
  { of: ({ status }) => status === 'failed', sign: '✗', words: 'failed' },
  { of: ({ status }) => status === 'passed', sign: '✓', words: 'passed' },
  { of: () => true, sign: '–', words: 'no verdict' },
];

/** A sign for each trial; of many trials how many there are of each sign. */
export function trialMarks({ trials }: Examined): Html {
  const signed = trials.map((trial) => SIGNS.find(({ of }) => of(trial))).filter((one) => one !== undefined);
  const words = SIGNS.flatMap((one) => {
    const count = signed.filter((other) => other === one).length;
    return count === 0 ? [] : [{ ...one, count }];
  });
  const text =
    signed.length <= MOST_MARKS
      ? signed.map(({ sign }) => sign).join(' ')
      : words.map(({ sign, count }) => `${count} ${sign}`).join('  ');
  return html`<span class="marks" role="img" aria-label="${words.map((one) => `${one.count} ${one.words}`).join(', ')}"
    >${text}</span
  >`;
}

function isCriticalFault({ severity, trials }: Examined): boolean {
  if (severity !== 'critical') return false;
  return trials.some(({ must_pass_violated: violated, status }) => violated || status === 'failed');
}

/**
 * Any violation comes before any failure, that before what has no verdict: by the share of the trials. Of two that fared alike the
 * graver comes first.
 */
function byBadness(one: Examined, other: Examined): number {
  const [here, there] = [sharesOf(one), sharesOf(other)];
  return (
    there.violated - here.violated ||
    there.failed - here.failed ||
    there.ungraded - here.ungraded ||
    gravityOf(other.severity) - gravityOf(one.severity)
  );
}

function sharesOf({ trials }: Examined) {
  const share = (of: (trial: Trial) => boolean) => trials.filter(of).length / Math.max(1, trials.length);
  return {
    violated: share(({ must_pass_violated: violated }) => violated),
    failed: share(({ status }) => status === 'failed'),
    ungraded: share(({ status }) => status !== 'failed' && status !== 'passed'),
  };
}

/** Where the pass rate stood in the baseline and where it stands now, over the scenarios that both examined. */
export function beforeAndNow({ baseline: { agent_version: version, comparison }, examined }: ReportView): Html {
  const passed = comparison?.tests.find(({ on }) => on === 'passed');
  if (comparison === null || passed === undefined || passed.before === null || passed.after === null) return html``;
  const { before, after, difference, low, high } = passed;
  const interval =
    low === null || high === null ? '' : `; ${comparison.confidence} % interval ${signed(low)} to ${signed(high)}`;
  return html`<section class="beside">
    <p class="label">
      Against the baseline, over ${counted(comparison.scenarios.compared, 'scenario')}:
      ${verdictWords(comparison.verdict)}
    </p>
    <table class="bars">
      <tbody>
        ${[
          { name: ofVersion('Before', version), value: before },
          { name: ofVersion('Now', examined.agent.version), value: after },
        ].map(
          ({ name, value }) =>
            html`<tr>
              <td class="version">${name}</td>
              <td class="n">${percentOf(value)}</td>
              <td class="bar">${filled(value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="small">
      ${difference === null ? '' : `${signed(difference)} points${interval}. `}<a href="#changes">What changed</a>
    </p>
  </section>`;
}

function ofVersion(when: string, version: string | null): string {
  return version === null ? when : `${when}: version ${version}`;
}

const VERDICT_WORDS: Readonly<Record<NonNullable<ReportView['baseline']['comparison']>['verdict'], string>> = {
  better: 'better',
  worse: 'worse',
  mixed: 'better in part, worse in part',
  no_evidence: 'no evidence of a change',
  cannot_tell: 'cannot tell',
};

function verdictWords(verdict: keyof typeof VERDICT_WORDS): string {
  return VERDICT_WORDS[verdict];
}

function signed(value: number): string {
  const text = oneDecimal(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** Rates by how much harm a failure may do, with their intervals; nothing where no scenario has a severity. */
export function bySeverity({ statistics: { by_severity: groups } }: ReportView): Html {
  if (groups.length === 0) return html``;
  return html`<section class="beside">
    <p class="label">Passed, by severity</p>
    <table class="bars">
      <tbody>
        ${groups.map(
          (one) =>
            html`<tr>
              <td>${spaced(one.severity)}</td>
              <td class="n">${one.passed} of ${one.graded}</td>
              <td class="bar">${bar(one)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** A share of 100 % as a filled bar. */
function filled(value: number): Html {
  return html`<svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect
      x="0"
      y="1"
      width="100"
      height="6"
      fill="none"
      stroke="#999"
      stroke-width="0.5"
      vector-effect="non-scaling-stroke"
    />
    <rect x="0" y="1" width="${Math.round(value * 10) / 10}" height="6" fill="#000" />
  </svg>`;
}
