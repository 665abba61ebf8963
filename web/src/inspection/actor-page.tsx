import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { Link, useParams } from 'wouter';
import { getActor, getMachines, type ActorDetail } from '../api/inspection';
import type { Machine } from '../../../contract/inspection';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Chart } from './chart';
import { LiveActor } from './live-actor';
import { stateName, TransitionLog } from './transition-log';

/** The statechart of one scenario run or test run, followed live as its actor goes through it, on any process. */
export function ActorPage() {
  const { id = '' } = useParams();
  const machines = useQuery({
    queryKey: ['machines'],
    queryFn: ({ signal }) => getMachines(signal),
    staleTime: Infinity,
  });
  const found = useQuery({ queryKey: ['actor', id], queryFn: ({ signal }) => getActor(id, signal) });
  if (machines.isPending || found.isPending) return <Loading />;
  const machine = machines.data?.find(({ kind }) => kind === found.data?.kind);
  if (found.data === undefined || machine === undefined) {
    return (
      <>
        <PageHead title="State chart" above={{ href: '/inspect', label: 'Activity' }} />
        <Problem error={found.error ?? machines.error} onRetry={() => void found.refetch()} />
      </>
    );
  }
  return <Followed key={found.data.id} found={found.data} machine={machine} />;
}

/** The run of a calibration is shown by its calibration alone. */
function homeOf({ kind, id, test_run_id, test_run_label }: ActorDetail): { href: string; label: string } {
  if (test_run_label.startsWith('calibration_')) {
    return { href: `/calibrations/${test_run_id}`, label: 'Open the calibration' };
  }
  return kind === 'test_run'
    ? { href: `/runs/${test_run_id}`, label: 'Open the run' }
    : { href: `/scenario-runs/${id}`, label: 'Open the scenario run' };
}

function Followed({ found, machine }: { found: ActorDetail; machine: Machine }) {
  const store = useMemo(() => new LiveActor(found.id), [found.id]);
  const live = useSyncExternalStore(store.subscribe, store.get);
  const [pinned, setPinned] = useState<number | null>(null);
  const actor = live.actor ?? found;
  const transitions = live.actor === null ? found.transitions : live.transitions.slice(0, live.shown);
  const upTo = pinned === null ? transitions.length : Math.min(pinned + 1, transitions.length);
  const newest = transitions[upTo - 1];
  const way = transitions.slice(0, upTo).filter(({ attempt }) => attempt === newest?.attempt);
  const state = newest?.to ?? null;
  const home = homeOf(actor);
  return (
    <>
      <PageHead title={actor.name ?? actor.test_run_label} above={{ href: '/inspect', label: 'Activity' }}>
        <Link href={home.href} className="button">
          {home.label}
        </Link>
        {actor.kind === 'scenario_run' && (
          <Link href={`/inspect/${actor.test_run_id}`} className="button">
            Chart of its run
          </Link>
        )}
      </PageHead>
      <Facts actor={actor} state={state} attempt={newest?.attempt ?? actor.attempt} />
      {actor.unanswered.length > 0 && (
        <p className="notice" role="status">
          Process {short(actor.unanswered[0] ?? '')} owns this actor and did not answer: it is paused, cut off or was
          killed a moment ago. This view shows what the log holds.
        </p>
      )}
      {live.connection === 'lost' && (
        <p className="notice" role="status">
          Reconnecting. The actor continues on the server.
        </p>
      )}
      <div className="inspection">
        <figure className="chart-frame">
          <Chart machine={machine} state={state} way={way} />
          <figcaption>
            <Follow connection={live.connection} pinned={pinned} onFollow={() => setPinned(null)} />
          </figcaption>
        </figure>
        <section aria-labelledby="way">
          <h2 id="way">Transitions</h2>
          {transitions.length === 0 ? (
            <p className="quiet">Not started: no process has claimed it yet.</p>
          ) : (
            <TransitionLog transitions={transitions} pinned={pinned} onPin={setPinned} />
          )}
        </section>
      </div>
      {actor.context !== null && (
        <details className="seldom">
          <summary>The actor’s context (messages by length only)</summary>
          <pre className="code" tabIndex={0}>
            {JSON.stringify(actor.context, null, 2)}
          </pre>
        </details>
      )}
    </>
  );
}

function Follow({
  connection,
  pinned,
  onFollow,
}: {
  connection: LiveActorConnection;
  pinned: number | null;
  onFollow: () => void;
}) {
  if (pinned !== null) {
    return (
      <button type="button" className="button small" onClick={onFollow}>
        Back to live
      </button>
    );
  }
  return <span className="quiet">{connection === 'ended' ? 'Ended; read from the log.' : 'Following live.'}</span>;
}
type LiveActorConnection = ReturnType<LiveActor['get']>['connection'];

function Facts({ actor, state, attempt }: { actor: ActorDetail; state: string | null; attempt: number }) {
  return (
    <dl className="facts">
      <div>
        <dt>State</dt>
        <dd>
          <span role="status">{state === null ? 'Not started' : stateName(state)}</span>
        </dd>
      </div>
      {actor.is_live && actor.awaits !== null && (
        <div>
          <dt>Waiting for</dt>
          <dd>{stateName(actor.awaits)}</dd>
        </div>
      )}
      {actor.is_live && actor.deadline !== null && (
        <div>
          <dt>Until</dt>
          <dd>
            <Time at={actor.deadline} toTheSecond />
          </dd>
        </div>
      )}
      <div>
        <dt>Attempt</dt>
        <dd className="number">{attempt === 0 ? '–' : attempt}</dd>
      </div>
      {actor.attempts
        .filter(({ outcome }) => outcome !== null)
        .map(({ attempt: number, outcome }) => (
          <div key={number}>
            <dt>Attempt {number} ended</dt>
            <dd>{outcome}</dd>
          </div>
        ))}
      {actor.owner !== null && (
        <div>
          <dt>Process</dt>
          <dd className="code" title={actor.owner}>
            {short(actor.owner)}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The first part of a UUID is enough to distinguish processes. */
export function short(processId: string): string {
  return processId.slice(0, 8);
}
