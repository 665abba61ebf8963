import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listSuites, type Suite } from '../api/suites';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

export function useSuites() {
  return useQuery({ queryKey: ['suites'], queryFn: ({ signal }) => listSuites(signal) });
}

export function SuitesPage() {
  const suites = useSuites();
  return (
    <>
      <PageHead title="Suites" lead="Named selections of scenarios, such as what every release has to pass.">
        <Link href="/suites/new" className="button primary">
          Make a suite
        </Link>
      </PageHead>
      {suites.isPending && <Loading />}
      {suites.isError && <Problem error={suites.error} onRetry={() => void suites.refetch()} />}
      {suites.data?.length === 0 && (
        <Empty title="No suite yet">
          <p>A suite keeps a selection of scenarios under a name, so that runs over time examine the same ones.</p>
          <Link href="/suites/new" className="button primary">
            Make a suite
          </Link>
        </Empty>
      )}
      {suites.data && suites.data.length > 0 && <SuiteTable suites={suites.data} />}
    </>
  );
}

function SuiteTable({ suites }: { suites: readonly Suite[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Suite</th>
            <th scope="col" className="number">
              Scenarios
            </th>
            <th scope="col">Changed</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {suites.map((suite) => (
            <tr key={suite.id}>
              <th scope="row">
                <Link href={`/suites/${suite.id}`}>
                  <Name>{suite.name}</Name>
                </Link>
                {suite.description !== null && (
                  <p className="quiet small">
                    <Name>{suite.description}</Name>
                  </p>
                )}
              </th>
              <td data-label="Scenarios" className="number">
                {suite.scenario_ids.length}
              </td>
              <td data-label="Changed">
                <Time at={suite.updated_at} />
              </td>
              <td>
                <Link href={`/start?suite=${suite.id}`} className="button small">
                  Run it
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
