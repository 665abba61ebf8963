import type { Calibration } from '../connection/calibration-calls';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';

type Result = NonNullable<Calibration['result']>;
type Agreement = Result['agreement'];

/** The numbers of a calibration, and what they are worth. */
export function printCalibration(screen: Screen, calibration: Calibration): void {
  const { result, judge, notes } = calibration;
  const { bold } = screen.colors;
  const name =
    judge.model === null || judge.model === undefined ? `${judge.name} judge` : `${judge.name}/${judge.model}`;
  screen.line(
    bold(oneLine(`${calibration.name}: ${name}, ${calibration.transcripts} transcripts, ${calibration.repeats} ×`)),
  );
  if (result === null) return;
  const columns = [
    { title: 'all labels', of: result.agreement },
    ...(result.agreement_clear === null ? [] : [{ title: 'without the doubtful', of: result.agreement_clear }]),
    ...(result.human_agreement === null ? [] : [{ title: 'rater with rater', of: result.human_agreement }]),
  ];
  screen.line(
    tableOf<(typeof ROWS)[number]>(
      screen,
      [
        { title: 'Agreement', cell: ({ title }) => title },
        ...columns.map(({ title, of }) => ({ title, cell: (row: (typeof ROWS)[number]) => row.cell(of) })),
      ],
      ROWS,
    ),
  );
  screen.line(
    tableOf<readonly [string, readonly number[]]>(
      screen,
      [
        { title: 'Label \\ judge', cell: ([label]) => label },
        ...SCALE.map((title, at) => ({
          title,
          align: 'right' as const,
          cell: ([, counts]: readonly [string, readonly number[]]) => counts[at] ?? 0,
        })),
      ],
      result.agreement.confusion.map((counts, at) => [SCALE[at] ?? '', counts] as const),
    ),
  );
  for (const line of linesOn(calibration, result)) screen.line(oneLine(line));
  for (const note of notes) screen.line(screen.colors.yellow(oneLine(note)));
}

const SCALE = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;

const ROWS: readonly { readonly title: string; readonly cell: (agreement: Agreement) => string }[] = [
  { title: 'decisions compared', cell: ({ pairs, transcripts }) => `${pairs} in ${transcripts} transcripts` },
  { title: 'the same', cell: ({ raw }) => decimals(raw) },
  { title: 'Cohen’s κ', cell: ({ kappa }) => decimals(kappa) },
  { title: 'Gwet’s AC1', cell: ({ ac1 }) => decimals(ac1) },
  { title: 'macro-F1', cell: ({ macro_f1: f1 }) => decimals(f1) },
  { title: 'faults found', cell: ({ fault_sensitivity: found }) => decimals(found) },
  { title: 'no false faults', cell: ({ fault_specificity: found }) => decimals(found) },
];

function decimals({ value, low, high }: Agreement['raw']): string {
  if (value === null) return '–';
  const interval = low === null || high === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `${value.toFixed(2)}${interval}`;
}

function linesOn({ progress }: Calibration, result: Result): string[] {
  const { consistency, controls, failed } = result;
  const share = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);
  return [
    `Repeated marks that are the same: ${share(consistency.repeats.value)} in the same order, ${share(consistency.orders.value)} in another.`,
    `Control questions answered wrong: ${share(controls.share)} of ${controls.asked}.`,
    ...failed.map(
      ({ count, kind, message }) => `${count} of ${progress.total} examinations failed (${kind}): ${message}`,
    ),
    `Marks that differ from a label: ${result.disagreements_total} criteria (--json shows them with the judge’s reasons).`,
  ];
}
