import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { listActors, type Actor, type ActorList } from '../api/inspection';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { short } from './actor-page';
import { stateName } from './transition-log';

const LOOK_AGAIN_MS = 2_000;
const A_PAGE = 50;

/** The current state of every actor of every process. */
export function InspectPage() {
  const [query] = useSearchParams();
  const run = query.get('run');
  const [page, setPage] = useState(0);
  const list = useQuery({
    queryKey: ['actors', run, page],
    queryFn: ({ signal }) => listActors({ run, offset: page * A_PAGE, limit: A_PAGE }, signal),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <PageHead
        title="Activity"
        lead="Every test run and scenario run in progress is an actor in a statechart. Open one to watch it move."
      />
      {list.isError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && <Listed list={list.data} page={page} onPage={setPage} />}
    </>
  );
}

function Listed({ list, page, onPage }: { list: ActorList; page: number; onPage: (page: number) => void }) {
  const silent = list.processes.filter(({ answered }) => !answered);
  return (
    <>
      {silent.map(({ id, actors }) => (
        <p key={id} className="notice" role="status">
          Process {short(id)} did not answer: the state of its {actors === 1 ? 'actor' : `${actors} actors`} is not
          known.
        </p>
      ))}
      {list.actors.length === 0 ? (
        <Empty title="Nothing is running">
          <p>
            Actors exist only while their run is in progress. The chart of a run that has ended is linked from its page.
          </p>
        </Empty>
      ) : (
        <div className="table-frame">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Actor</th>
                <th scope="col">State</th>
                <th scope="col">Since</th>
                <th scope="col">Waiting for</th>
                <th scope="col">Until</th>
                <th scope="col" className="number">
                  Attempt
                </th>
                <th scope="col">Process</th>
              </tr>
            </thead>
            <tbody>
              {list.actors.map((actor) => (
                <Row key={actor.id} actor={actor} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager page={page} pageSize={A_PAGE} total={list.total} onPage={onPage} />
    </>
  );
}

function Row({ actor }: { actor: Actor }) {
  return (
    <tr className={actor.kind}>
      <th scope="row">
        <Link href={`/inspect/${actor.id}`}>
          <Name>{actor.name ?? actor.test_run_label}</Name>
        </Link>
        {actor.kind === 'test_run' && <span className="tag">run</span>}
      </th>
      <td data-label="State">{actor.state === null ? 'not known' : stateName(actor.state)}</td>
      <td data-label="Since">{actor.since === null ? '–' : <Time at={actor.since} toTheSecond />}</td>
      <td data-label="Waiting for">{actor.awaits === null ? '–' : stateName(actor.awaits)}</td>
      <td data-label="Until">{actor.deadline === null ? '–' : <Time at={actor.deadline} toTheSecond />}</td>
      <td data-label="Attempt" className="number">
        {actor.attempt}
      </td>
      <td data-label="Process" className="code">
        {actor.owner === null ? '–' : short(actor.owner)}
      </td>
    </tr>
  );
}
