interface Props {
  /** Names the raters of the rows and of the columns. */
  readonly caption: string;
  readonly decisions: readonly string[];
  /** Row by row. */
  readonly counts: readonly (readonly number[])[];
}

/** How often one rater decided the row where the other decided the column. */
export function ConfusionMatrix({ caption, decisions, counts }: Props) {
  return (
    <div className="table-frame">
      <table className="rows confusion">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <td />
            {decisions.map((decision) => (
              <th key={decision} scope="col" className="number">
                {decision}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.map((row, place) => (
            <tr key={decisions[place]}>
              <th scope="row">{decisions[place]}</th>
              {row.map((count, column) => (
                <td
                  key={decisions[column]}
                  data-label={decisions[column]}
                  className={column === place ? 'number same' : 'number'}
                >
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
