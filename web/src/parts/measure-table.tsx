import { percentText } from './numbers';

/** A coefficient and its interval; where one of them is missing, why. */
export interface Measure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason: string | null;
}

export interface MeasureRow {
  readonly name: string;
  /** One for each column; null where a measure says nothing there. */
  readonly values: readonly (Measure | null)[];
  /** Its values are percentages; otherwise numbers from −1 to 1. */
  readonly inPercent?: boolean;
}

interface Props {
  /** For screen readers, in place of the heading above. */
  readonly caption: string;
  /** The compared raters: the heads of the columns. */
  readonly between: readonly string[];
  readonly rows: readonly MeasureRow[];
}

/** How far raters agree, measured in several ways, each with its interval. */
export function MeasureTable({ caption, between, rows }: Props) {
  return (
    <div className="table-frame">
      <table className="rows measures">
        <caption className="only-read">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            {between.map((whose) => (
              <th key={whose} scope="col">
                {whose}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values, inPercent = false }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((measure, column) => (
                <td key={between[column]} data-label={between[column]}>
                  {measure === null ? '–' : <MeasureText of={measure} inPercent={inPercent} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TextProps {
  readonly of: Measure;
  readonly inPercent?: boolean;
}

/** `0.62 (0.41 to 0.78)`, with a remark where there is one. */
export function MeasureText({ of: { value, low, high, reason }, inPercent = false }: TextProps) {
  return (
    <>
      {value !== null && <strong className="number">{numberText(value, inPercent)}</strong>}
      {low !== null && high !== null && <span className="number"> ({intervalText(low, high, inPercent)})</span>}
      {reason !== null && <span className="quiet"> {reason}</span>}
    </>
  );
}

/** `0.62`, `−0.10`, `83.3 %`. */
export function numberText(value: number, inPercent = false): string {
  return inPercent ? percentText(value) : value.toFixed(2).replace('-', '−');
}

/** `0.41 to 0.78`. */
export function intervalText(low: number, high: number, inPercent = false): string {
  return `${numberText(low, inPercent)} to ${numberText(high, inPercent)}`;
}
