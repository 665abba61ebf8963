import { spaced } from '../../domain';
import { filledAnnotations } from '../../../contract/run-annotations';
import { pText } from '../statistics/comparison-words';
import { heading } from './report-contents';
import { trialMarks } from './report-pictures';
import { actTable, severitiesIn } from './acts';
import { Html, graded, html, oneDecimal, twoDecimals } from './html';
import type { ReportView } from './report.view';
import type { ComparisonView, QuestionTest } from '../../../contract/comparison';

type Examiner = NonNullable<ReportView['statistics']['examiners']>['judge'];

/** What was examined, by whom: versions and hashes. */
export function casts({ examined, statistics }: ReportView): Html {
  const { run, agent, service_version: version } = examined;
  const { examiners } = statistics;
  const rows: [string, string | Html][] = [
    ['Run', `${run.test_run_id} (${run.id}), ${run.status}`],
    ...filledAnnotations(run).map(({ label, text }): [string, string] => [label, text]),
    ...(run.tags.length === 0 ? [] : [['Tags', run.tags.join(', ')] satisfies [string, string]]),
    ['Held', `${run.started_at ?? 'never'} to ${run.ended_at ?? 'never'}`],
    ...(run.derivation === null
      ? []
      : [['Derived', `${run.derivation} of ${run.derived_from ?? 'a deleted run'}`] satisfies [string, string]]),
    ['Agent', `${agent.name} (${agent.provider})${agent.version === null ? '' : `, version ${agent.version}`}`],
    ['Agent’s config', html`<span class="hash">${agent.config_hash ?? 'not kept'}</span>`],
    ['Patient', examiners === null ? 'nobody' : examinerOf(examiners.tester)],
    ['Judge', examiners === null ? 'nobody' : examinerOf(examiners.judge)],
    [
      'Examination',
      `at most ${run.max_turns} turns;${run.region === null ? '' : ` region ${run.region};`} passed from ${run.pass_threshold} % of the points on, without a must-pass violation; Agent OSCE ${version}`,
    ],
  ];
  return html`<section>
    ${heading('examined')}
    <dl>
      ${rows.map(
        ([term, words]) =>
          html`<dt>${term}</dt>
            <dd>${words}</dd>`,
      )}
    </dl>
  </section>`;
}

/** Every scenario with its version: what a later reader needs to find it again. */
export function annex({ examined: { scenarios } }: ReportView): Html {
  return html`<section>
    ${heading('annex')}
    <table>
      <thead>
        <tr>
          <th style="width:24%">Scenario</th>
          <th style="width:16%">Category</th>
          <th class="n">Passed</th>
          <th>Trials</th>
          <th class="n">Revision</th>
          <th>Approved by</th>
          <th><span class="s">SHA-256</span> begins</th>
        </tr>
      </thead>
      <tbody>
        ${scenarios.map(
          (one) =>
            html`<tr>
              <td>${one.name}</td>
              <td>${one.category === null ? '–' : spaced(one.category)}</td>
              <td class="n">
                ${one.passed} of
                ${one.graded}${one.graded < one.total ? html`<br />(${one.total - one.graded} without a verdict)` : ''}
              </td>
              <td>${trialMarks(one)}</td>
              <td class="n">${one.revision ?? '–'}</td>
              <td>${one.approved_by ?? '–'}</td>
              <td>
                <span class="hash"
                  >${one.content_hash?.slice(0, 16) ?? 'not kept'}${one.content_hash === null ? '' : '…'}</span
                >
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function examinerOf({ name, model, prompt_version: prompts }: Examiner): string {
  if (name === 'offline') return `offline (${prompts ?? 'rules'}, no language model)`;
  return `${name}, ${model ?? 'model unknown'}${prompts === null ? '' : `, prompts ${prompts}`}`;
}

export function hazardTable({ hazards }: ReportView): Html {
  const named = hazards.filter(({ hazard }) => hazard !== null).length;
  return html`<section>
    ${heading('hazards')}
    <p class="small">
      ${named === 0 ? 'No scenario names its hazard (content.hazard); each stands for itself.' : `${named} of ${hazards.length} scenarios name their hazard (content.hazard); the others stand for themselves.`}
      Controls are the must-pass criteria. “Up to … may fail” is the upper end of the 95 % interval for as many
      conversations as were graded.
    </p>
    <table>
      <thead>
        <tr>
          <th style="width:30%">Scenario and hazard</th>
          <th style="width:30%">Control</th>
          <th style="width:17%">Evidence</th>
          <th style="width:23%">Residual</th>
        </tr>
      </thead>
      <tbody>
        ${hazards.map(
          (one) =>
            html`<tr>
              <td>
                <b>${graded(one.scenario_name, one.severity)}</b>${one.hazard === null ? '' : html`<br />${one.hazard}`}
              </td>
              <td>
                ${
                  one.controls.length === 0
                    ? 'No must-pass criterion.'
                    : html`<ul>
                        ${one.controls.map((control) => html`<li>${control}</li>`)}
                      </ul>`
                }
              </td>
              <td>
                ${one.evidence.passed} of ${one.evidence.graded}
                passed${one.evidence.violated === 0 ? '' : `; must-pass violated in ${one.evidence.violated}`}
              </td>
              <td>${one.residual.sentence}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

export function changes(report: ReportView): Html {
  const { agent_version: version, comparison, note } = report.baseline;
  if (comparison === null)
    return html`<section>
      ${heading('changes')}
      <p>${note}</p>
    </section>`;
  const { before, better, worse, new_must_pass_violations: fresh, doubts } = comparison;
  const moved = [
    ...worse.map((one) => ({ ...one, how: 'worse' })),
    ...better.map((one) => ({ ...one, how: 'better' })),
  ];
  return html`<section>
    ${heading('changes')}
    <p>Baseline: ${version === null ? '' : `version ${version}, run `}${before.test_run_id}. <b>${note}</b></p>
    ${questionTable(comparison)}
    ${
      fresh.length === 0
        ? ''
        : html`<h3>New must-pass violations</h3>
            ${actTable(fresh, severitiesIn(report))}`
    }
    <p>${comparison.criteria_summary.sentence}</p>
    ${
      moved.length === 0
        ? html`<p>
            No scenario passed more or less often, scored higher or lower, or violated more or fewer must-pass criteria.
          </p>`
        : html`<table>
            <thead>
              <tr>
                <th>Scenario</th>
                <th>Change</th>
                <th class="n">Passed before</th>
                <th class="n">Now</th>
                <th class="n">Score before</th>
                <th class="n">Now</th>
              </tr>
            </thead>
            <tbody>
              ${moved.map(
                (one) =>
                  html`<tr>
                    <td>${one.scenario_name}</td>
                    <td class="s">${one.how}</td>
                    <td class="n">${oneDecimal(one.before * 100)} %</td>
                    <td class="n">${oneDecimal(one.after * 100)} %</td>
                    <td class="n">${one.score_before === null ? '–' : `${oneDecimal(one.score_before)} %`}</td>
                    <td class="n">${one.score_after === null ? '–' : `${oneDecimal(one.score_after)} %`}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      doubts.length === 0
        ? ''
        : html`<p>What differs apart from the agent:</p>
            <ul>
              ${doubts.map(({ sentence }) => html`<li>${sentence}</li>`)}
            </ul>`
    }
  </section>`;
}

const QUESTIONS: Readonly<Record<QuestionTest['on'], string>> = {
  passed: 'Pass rate (%)',
  score: 'Mean score (%)',
  must_pass: 'Must-pass violations per conversation',
};

/** All three questions, whichever the verdict rests on; a negative difference is worse in each. */
function questionTable({ tests, grounds, confidence }: ComparisonView): Html {
  const text = twoDecimals;
  return html`<table>
    <thead>
      <tr>
        <th>Question</th>
        <th class="n">Before</th>
        <th class="n">Now</th>
        <th class="n">Better by (below 0: worse)</th>
        <th class="n">${confidence} % interval</th>
        <th class="n">Adjusted p</th>
      </tr>
    </thead>
    <tbody>
      ${tests.map(
        (one) =>
          html`<tr>
            <td>${grounds.includes(one.on) ? html`<b>${QUESTIONS[one.on]}</b>` : QUESTIONS[one.on]}</td>
            <td class="n">${text(one.before)}</td>
            <td class="n">${text(one.after)}</td>
            <td class="n">${text(one.difference)}</td>
            <td class="n">${one.low === null ? '–' : `${text(one.low)} to ${text(one.high)}`}</td>
            <td class="n">${one.adjusted_p_value === null ? 'not tested' : pText(one.adjusted_p_value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function fidelity({ patients, statistics }: ReportView): Html {
  const { pass_rate_without: without, by_kind: kinds } = statistics.patient_faults;
  const { scenario_runs: runs, share, shown } = patients;
  return html`<section>
    ${heading('patients')}
    ${
      runs === 0
        ? html`<p>No fault of a patient is recorded.</p>`
        : html`<p>
              Faults in ${runs} conversations (${oneDecimal(share * 100)} %):
              ${kinds.map(({ kind, count }) => `${spaced(kind)} in ${count}`).join(', ')}.${without === null || without.value === null ? '' : ` Without these conversations ${oneDecimal(without.value)} % passed.`}
            </p>
            <table>
              <thead>
                <tr>
                  <th>Scenario, trial</th>
                  <th class="n">Turn</th>
                  <th>Fault</th>
                  <th>Words</th>
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  (one) =>
                    html`<tr>
                      <td>${one.scenario_name}, ${one.trial}</td>
                      <td class="n">${one.turn ?? '–'}</td>
                      <td>${spaced(one.kind)} (${spaced(one.severity)})</td>
                      <td>${one.text}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
  </section>`;
}

/** How far the judge is known to agree with people. */
export function judgeTable({ statistics: { calibration, calibration_note: note } }: ReportView): Html {
  if (calibration === null)
    return html`<section>
      ${heading('calibration')}
      <p>${note}</p>
    </section>`;
  const { raw, kappa, ac1, macro_f1: f1, controls_wrong: wrong } = calibration;
  const rows: [string, typeof raw][] = [
    ['Same decision as the label', raw],
    ['Cohen’s κ', kappa],
    ['Gwet’s AC1', ac1],
    ['Macro-F1 (MET, NOT MET)', f1],
  ];
  return html`<section>
    ${heading('calibration')}
    <p>
      “${calibration.name}”, ${calibration.at.slice(0, 10)}: ${calibration.transcripts} labelled
      transcripts${calibration.source === 'starter_set' ? ' of the starter set' : ''}, ${examinerOf(calibration.judge)}.
      ${note}
    </p>
    <table>
      <thead>
        <tr>
          <th>Agreement with the labels</th>
          <th class="n">Value</th>
          <th class="n">95 % interval</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, { value, low, high }]) =>
            html`<tr>
              <td>${name}</td>
              <td class="n">${twoDecimals(value)}</td>
              <td class="n">${low === null || high === null ? '–' : `${twoDecimals(low)} to ${twoDecimals(high)}`}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${wrong === null ? '' : html`<p>Control questions answered wrong: ${oneDecimal(wrong * 100)} %.</p>`}
  </section>`;
}
