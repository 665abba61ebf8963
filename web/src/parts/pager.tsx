interface Props {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, pageSize, total, onPage }: Props) {
  const first = page * pageSize + 1;
  const last = Math.min(total, first + pageSize - 1);
  if (total <= pageSize && page === 0) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" className="button small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span className="number">
        {first}–{last} of {total.toLocaleString()}
      </span>
      <button type="button" className="button small" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
