import { kindInWords } from '../../domain';
import { Html, html, percentOf, twoDecimals } from './html';
import type { ReportedTwin, ReportView } from './report.view';
import { pText } from '../statistics/comparison-words';
import type { QuestionTest } from '../../../contract/comparison';

/** What voice, or the line, costs: the run beside its twins, over the pairs of conversations. Nothing for a run without twins. */
export function besideTwins({ twins, examined }: ReportView): Html {
  const [first] = twins ?? [];
  if (twins === undefined || first === undefined) return html``;
  return html`<section class="twins">
    <h2>${titleOf(first)}</h2>
    <table>
      <thead>
        <tr>
          <th>Run, and how it was held</th>
          <th class="n">Pairs</th>
          <th class="n">Passed</th>
          <th class="n">Adjusted p</th>
          <th class="n">Mean score</th>
          <th class="n">Adjusted p</th>
        </tr>
      </thead>
      <tbody>
        ${twins.map((twin) => rowsOf(twin, examined.run.id))}
      </tbody>
    </table>
    ${twins.map(({ pairs }) => html`<p class="small">${pairs.sentence}</p>`)} ${kinds(twins)}
    <p class="small">
      Only pairs of conversations that both have a verdict of are counted; the tests are over scenarios.
      ${first.pairs.adjustment}
    </p>
  </section>`;
}

function titleOf({ pairs }: ReportedTwin): string {
  return pairs.before === 'in text' ? 'What voice costs' : 'What the line costs';
}

/** The two of a comparison below each other, each with its id unless it is the run of the report. */
function rowsOf({ before, after, pairs, tests }: ReportedTwin, thisRun: string): Html[] {
  const passed = tests.find(({ on }) => on === 'passed');
  const score = tests.find(({ on }) => on === 'score');
  return [
    { run: before, way: pairs.before, end: 'before' as const },
    { run: after, way: pairs.after, end: 'after' as const },
  ].map(
    ({ run, way, end }) =>
      html`<tr>
        <td>
          ${way}, ${run.test_run_id}
          ${run.id === thisRun ? html`<b>(this run)</b>` : html`<span class="hash">${run.id}</span>`}
        </td>
        <td class="n">${pairs.pairs.compared} of ${pairs.pairs.total}</td>
        <td class="n">${percentOf(passed?.[end] ?? null)}</td>
        <td class="n">${end === 'before' ? '' : chance(passed)}</td>
        <td class="n">${percentOf(score?.[end] ?? null)}</td>
        <td class="n">${end === 'before' ? '' : chance(score)}</td>
      </tr>`,
  );
}

function chance(test: Pick<QuestionTest, 'adjusted_p_value'> | undefined): string {
  const p = test?.adjusted_p_value ?? null;
  return p === null ? 'not tested' : pText(p);
}

function kinds(twins: readonly ReportedTwin[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Criteria that were met</th>
        <th class="n">Scenarios</th>
        <th class="n">Before</th>
        <th class="n">After</th>
        <th class="n">Points (below 0: worse)</th>
        <th class="n">95 % interval</th>
        <th class="n">Adjusted p</th>
      </tr>
    </thead>
    <tbody>
      ${twins.flatMap(({ pairs }) =>
        pairs.criteria.map(
          (kind) =>
            html`<tr>
              <td>${kindInWords(kind)}${twins.length > 1 ? `, ${pairs.after}` : ''}</td>
              <td class="n">${kind.scenarios}</td>
              <td class="n">${percentOf(kind.before * 100)}</td>
              <td class="n">${percentOf(kind.after * 100)}</td>
              <td class="n">${twoDecimals(kind.difference)}</td>
              <td class="n">${twoDecimals(kind.low)} to ${twoDecimals(kind.high)}</td>
              <td class="n">${chance(kind)}</td>
            </tr>`,
        ),
      )}
    </tbody>
  </table>`;
}
