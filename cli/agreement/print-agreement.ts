import type { Agreement, Measure } from '../connection/agreement-calls';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';

/** How far judge and reviewers agree, as a table and as a confusion matrix. */
export function printAgreement(screen: Screen, agreement: Agreement): void {
  const {
    conversations,
    criteria,
    raters,
    not_blind: notBlind,
    with_judge: judge,
    between_reviewers: others,
  } = agreement;
  if (conversations === 0) {
    screen.line('No such conversation was reviewed without seeing the judge’s marks.');
  } else {
    screen.line(
      `${counted(criteria, 'criterion', 'criteria')} in ${counted(conversations, 'conversation')}, by ${counted(raters, 'reviewer')}; judge: ${namesOf(agreement)}.`,
    );
    screen.line(
      tableOf<Row>(
        screen,
        [
          { title: `Agreement (${agreement.confidence} %)`, cell: ({ title }) => title },
          { title: 'judge with reviewers', cell: ({ of }) => of },
          ...(others === null ? [] : [{ title: 'reviewers among themselves', cell: ({ other }: Row) => other }]),
        ],
        rowsOf(judge, others),
      ),
    );
    const { decisions, counts } = judge.confusion;
    screen.line(
      tableOf<readonly [string, readonly number[]]>(
        screen,
        [
          { title: 'Reviewer \\ judge', cell: ([decision]) => decision },
          ...decisions.map((title, at) => ({
            title,
            align: 'right' as const,
            cell: ([, row]: readonly [string, readonly number[]]) => row[at] ?? 0,
          })),
        ],
        counts.map((row, at) => [decisions[at] ?? '', row] as const),
      ),
    );
    for (const reason of reasonsOf(judge)) screen.line(screen.colors.yellow(oneLine(reason)));
  }
  if (notBlind > 0) screen.line(`${counted(notBlind, 'conversation')} left out: their reviewers had seen the marks.`);
  screen.line(oneLine(correctedText(agreement.corrected_pass_rate)));
}

interface Row {
  readonly title: string;
  readonly of: string;
  readonly other: string;
}

function rowsOf(judge: Agreement['with_judge'], others: Agreement['between_reviewers']): Row[] {
  const both = (title: string, name: 'raw' | 'kappa' | 'ac1' | 'macro_f1'): Row => ({
    title,
    of: textOf(judge[name], name === 'raw'),
    other: others === null ? '–' : textOf(others[name], name === 'raw'),
  });
  const ofJudge = (title: string, measure: Measure): Row => ({ title, of: textOf(measure, true), other: '–' });
  return [
    both('same decision', 'raw'),
    both('Cohen’s κ', 'kappa'),
    both('Gwet’s AC1', 'ac1'),
    both('macro-F1', 'macro_f1'),
    ofJudge('faults found', judge.sensitivity),
    ofJudge('no false faults', judge.specificity),
  ];
}

function textOf({ value, low, high }: Measure, inPercent: boolean): string {
  if (value === null) return '–';
  const text = (number: number): string => (inPercent ? `${number.toFixed(1)} %` : number.toFixed(2));
  return low === null || high === null
    ? `${text(value)} (no interval)`
    : `${text(value)} (${text(low)} to ${text(high)})`;
}

/** Each once. */
function reasonsOf({ raw, kappa, ac1, macro_f1, sensitivity, specificity }: Agreement['with_judge']): string[] {
  const reasons = [raw, kappa, ac1, macro_f1, sensitivity, specificity].flatMap(({ reason }) => reason ?? []);
  return [...new Set(reasons)];
}

function namesOf({ judges }: Agreement): string {
  return oneLine(judges.map(({ name, model }) => model ?? name).join(', '));
}

function correctedText({ value, low, high, judged, reason }: Agreement['corrected_pass_rate']): string {
  if (value === null || low === undefined || high === undefined) {
    return `Pass rate without the judge’s errors: not known. ${reason ?? ''}`.trim();
  }
  return `Pass rate without the judge’s errors: ${value.toFixed(1)} % (${low.toFixed(1)} to ${high.toFixed(1)} %); by the judge alone ${(judged ?? 0).toFixed(1)} %.`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
