import { Link } from 'wouter';
import { suites, type Suite } from '../api/suites';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { NameAndAbout } from '../parts/name-and-about';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Time } from '../parts/time';
import { useList } from '../parts/use-resource';

export function SuitesPage() {
  return (
    <>
      <PageHead title="Suites" lead="Named selections of scenarios, such as those every release must pass.">
        <Offered to="change">
          <Link href="/suites/new" className="button primary">
            Create a suite
          </Link>
        </Offered>
      </PageHead>
      <Loaded query={useList(suites)}>
        {(found) => (found.length === 0 ? <NoSuite /> : <SuiteTable listed={found} />)}
      </Loaded>
    </>
  );
}

function NoSuite() {
  return (
    <Empty title="No suites yet">
      <p>A suite keeps a selection of scenarios under a name, so that runs over time use the same ones.</p>
      <Offered to="change">
        <Link href="/suites/new" className="button primary">
          Create a suite
        </Link>
      </Offered>
    </Empty>
  );
}

function SuiteTable({ listed }: { listed: readonly Suite[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Suite</th>
            <th scope="col" className="number">
              Scenarios
            </th>
            <th scope="col">Updated</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((suite) => (
            <tr key={suite.id}>
              <th scope="row" className="wide">
                <NameAndAbout href={`/suites/${suite.id}`} name={suite.name} about={suite.description} />
              </th>
              <td data-label="Scenarios" className="number">
                {suite.scenario_ids.length}
              </td>
              <td data-label="Updated">
                <Time at={suite.updated_at} />
              </td>
              <td>
                <Offered to="run">
                  <Link href={`/start?suite=${suite.id}`} className="button small">
                    Run this suite
                  </Link>
                </Offered>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
