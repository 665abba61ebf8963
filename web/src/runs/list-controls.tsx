import { SCENARIO_RUN_STATUSES } from '../../../src/domain';
import { COLUMNS, nextOrder, type ListView } from './list-order';
import type { Row } from './scenario-row';

interface Props {
  readonly rows: readonly Row[];
  readonly view: ListView;
  readonly onShow: (changes: Partial<ListView>) => void;
}

/** Filters for the scenario runs: by the statuses that occur, and by words. */
export function ListFilters({ rows, view, onShow }: Props) {
  const counts = new Map(SCENARIO_RUN_STATUSES.map((status) => [status, 0]));
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  const statuses = SCENARIO_RUN_STATUSES.filter((status) => counts.get(status) !== 0 || view.status === status);
  return (
    <div className="filters list-filters">
      <div className="filters" role="group" aria-label="Show only scenarios that are">
        <button
          type="button"
          className="chip"
          aria-pressed={view.status === null}
          onClick={() => onShow({ status: null })}
        >
          all <span className="number">{rows.length}</span>
        </button>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={view.status === status}
            onClick={() => onShow({ status: view.status === status ? null : status })}
          >
            {status} <span className="number">{counts.get(status)}</span>
          </button>
        ))}
      </div>
      <input
        className="search"
        type="search"
        aria-label="Search scenarios of the run"
        placeholder="Search this run"
        value={view.text}
        onChange={(event) => onShow({ text: event.target.value })}
      />
      <select
        className="narrow sort-choice"
        aria-label="Sort by"
        value={view.order?.by ?? ''}
        onChange={(event) => {
          const column = COLUMNS.find(([by]) => by === event.target.value);
          onShow({ order: column === undefined ? null : nextOrder(null, column[0]) });
        }}
      >
        <option value="">in run order</option>
        {COLUMNS.map(([by, label]) => (
          <option key={by} value={by}>
            by {label.toLowerCase()}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The headings of the columns; pressing one sorts by it. */
export function ListColumns({ view, onShow }: Omit<Props, 'rows'>) {
  return (
    <div className="scenario-columns" role="group" aria-label="Sort by">
      {COLUMNS.map(([by, label]) => {
        const order = view.order?.by === by ? view.order : null;
        return (
          <button
            key={by}
            type="button"
            className={`heading of-${by}`}
            aria-pressed={order !== null}
            aria-label={order === null ? label : `${label}, ${order.isUp ? 'ascending' : 'descending'}`}
            title={
              by === 'latency'
                ? 'Mean time until the agent replies'
                : by === 'cost'
                  ? 'Cost of patient and judge'
                  : undefined
            }
            onClick={() => onShow({ order: nextOrder(view.order, by) })}
          >
            {label}
            {order !== null && <span aria-hidden="true"> {order.isUp ? '↑' : '↓'}</span>}
          </button>
        );
      })}
    </div>
  );
}
