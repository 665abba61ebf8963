import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { listAuditRecords, RECORDS_A_PAGE, type AuditRecord } from '../api/audit';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

/** Shows who changed what, newest first. The filters are in the address. */
export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const page = Math.max(0, Number(search.get('page') ?? '1') - 1) || 0;
  const filter = {
    who: search.get('who') ?? '',
    resource: search.get('resource') ?? '',
    resource_id: search.get('resource_id') ?? '',
  };
  const records = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => listAuditRecords(filter, page, signal),
    placeholderData: keepPreviousData,
  });
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  return (
    <>
      <PageHead
        title="Audit"
        lead="Who changed what. Field and key names only, never values. Kept for AUDIT_DAYS days."
      >
        <button type="button" className="button" onClick={() => void records.refetch()}>
          Refresh
        </button>
      </PageHead>
      {chosen.length > 0 && (
        <div className="filters">
          {chosen.map(([name, value]) => (
            <span key={name}>
              {name.replace('_', ' ')}: <Name>{value}</Name>
            </span>
          ))}
          <button type="button" className="chip" onClick={() => setSearch({})}>
            Show all
          </button>
        </div>
      )}
      {records.isError && <Problem error={records.error} onRetry={() => void records.refetch()} />}
      {records.isPending && <Loading />}
      {records.data?.records.length === 0 && <Empty title="No changes">{null}</Empty>}
      {records.data && records.data.records.length > 0 && (
        <>
          <AuditTable records={records.data.records} onPick={(picked) => setSearch(picked)} />
          <Pager
            page={page}
            pageSize={RECORDS_A_PAGE}
            total={records.data.total ?? 0}
            onPage={(next) => setSearch({ ...Object.fromEntries(chosen), ...(next > 0 && { page: String(next + 1) }) })}
          />
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly records: readonly AuditRecord[];
  /** Shows only records with the same value as the picked one. */
  readonly onPick: (picked: Record<string, string>) => void;
}

function AuditTable({ records, onPick }: TableProps) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Fields</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.number}>
              <th scope="row">
                <Time at={record.at} toTheSecond />
              </th>
              <td data-label="Who">
                <button type="button" className="link" onClick={() => onPick({ who: record.who })}>
                  <Name>{record.who}</Name>
                </button>
                <p className="quiet small">
                  {record.role}
                  {record.address !== null && `, ${record.address}`}
                </p>
              </td>
              <td data-label="What">
                {record.method} <Name>{record.route}</Name>
                {record.resource_ids.slice(0, IDS_SHOWN).map((id) => (
                  <p key={id} className="small">
                    <button type="button" className="link" onClick={() => onPick({ resource_id: id })}>
                      <Name>{id}</Name>
                    </button>
                  </p>
                ))}
                {record.resource_ids.length > IDS_SHOWN && (
                  <p className="quiet small">and {record.resource_ids.length - IDS_SHOWN} more</p>
                )}
              </td>
              <td data-label="Fields" className="small">
                <Name>{record.fields.join(', ')}</Name>
              </td>
              <td data-label="Outcome">{outcomeText(record)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const IDS_SHOWN = 3;

function outcomeText({ outcome, status, replayed }: AuditRecord): string {
  const words = outcome.replace('_', ' ');
  return `${status === null ? words : `${words} (${status})`}${replayed ? ', repeated' : ''}`;
}
