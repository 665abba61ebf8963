import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { recentRuns, type TestRun } from '../api/runs';
import { percentText, signedText } from '../parts/numbers';
import { toneOf } from '../parts/tone';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { trendsOf, type Trend } from './trends';

const AGAIN_EVERY_MS = 30_000;

const WIDTH = 130;
const HEIGHT = 30;
const INSET = 5;

/** How each agent fared from run to run; nothing before one of them has two. */
export function AgentTrends() {
  const { data } = useQuery({
    queryKey: ['recent-runs'],
    queryFn: ({ signal }) => recentRuns(signal),
    refetchInterval: AGAIN_EVERY_MS,
  });
  const trends = trendsOf(data ?? []);
  if (trends.length === 0) return null;
  return (
    <section className="trends" aria-label="Trend of each agent">
      <ul>
        {trends.map((trend) => (
          <li key={trend.agent_id} className="panel">
            <AgentTrend trend={trend} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function AgentTrend({ trend: { agent_id, agent_name, runs, latest } }: { readonly trend: Trend<TestRun> }) {
  const before = runs.at(-2);
  const x = (place: number) => INSET + (place / (runs.length - 1)) * (WIDTH - 2 * INSET);
  const y = ({ pass_rate }: TestRun) => INSET + (1 - pass_rate / 100) * (HEIGHT - 2 * INSET);
  const inWords = runs.map(({ pass_rate }) => percentText(pass_rate)).join(', ');
  return (
    <>
      <Link href={`/agents/${agent_id}`} className="trend-name" title={visibleText(agent_name)}>
        <Name>{agent_name}</Name>
      </Link>
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={`Pass rates, the oldest first: ${inWords}`}>
        <line className="grid" x1="0" x2={WIDTH} y1={HEIGHT - INSET} y2={HEIGHT - INSET} />
        <polyline points={runs.map((run, place) => `${x(place)},${y(run)}`).join(' ')} />
        {runs.map((run, place) => (
          <circle
            key={run.id}
            className={toneOfRun(run)}
            cx={x(place)}
            cy={y(run)}
            r={place === runs.length - 1 ? 4 : 2.5}
          />
        ))}
      </svg>
      <p className="number">
        <Link href={`/runs/${latest.id}`}>{percentText(latest.pass_rate)}</Link>
        {before !== undefined && (
          <span className="quiet small"> {changeText(latest.pass_rate - before.pass_rate)}</span>
        )}
      </p>
    </>
  );
}

function toneOfRun({ pass_rate, pass_threshold, must_pass_violated_count: violated = null }: TestRun) {
  return toneOf({ rate: pass_rate, passThreshold: pass_threshold, mustPassViolated: violated });
}

function changeText(points: number): string {
  const change = signedText(points);
  return change === '0' ? 'as in the previous run' : `${change} since the previous run`;
}
