import type { ScenarioRunStatus } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import type { LiveRunState } from '../live/live-run';
import { percentText, rangeText } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { durationText } from '../parts/time';
import { toneOf } from '../parts/tone';
import { Against } from './baseline';
import { Gravity } from './gravity';
import { standingOf, type Tally } from './standing';
import { useAgainstBaseline } from './use-against-baseline';
import { useStatistics } from './use-statistics';

const PARTS = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['error', 'errors'],
  ['canceled', 'canceled'],
  ['active', 'in progress'],
] as const;

interface Props {
  readonly run: TestRun;
  /** Null once the run is final. */
  readonly live: LiveRunState | null;
}

/** The progress and rate of a run, the severity of its failures, and the comparison with the agent's baseline. */
export function RunProgress({ run, live }: Props) {
  const tally = live === null || live.version === 0 ? tallyOfRun(run) : tallyOfEvents(live, run);
  const settled = tally.passed + tally.failed + tally.error + tally.canceled;
  const interval = run.graded_pass_rate ?? null;
  const { rate, caption, caveat } = standingOf(tally, live === null ? run.status : null, interval);
  const statistics = useStatistics(run).data ?? null;
  const { found: against, error } = useAgainstBaseline(run);
  const tone =
    live === null
      ? toneOf({
          rate,
          passThreshold: run.pass_threshold,
          mustPassViolated: run.must_pass_violated_count ?? null,
          againstBaseline: against?.comparison.verdict ?? null,
        })
      : 'neutral';
  const wasCanceled = live === null && run.status === 'canceled';
  let offset = 0;
  return (
    <section className={`progress ${tone}`} aria-label={live === null ? 'Result' : 'Progress'}>
      <p className="rate">
        <span className="big number">{rate === null ? '–' : percentText(rate)}</span>
        <span className="quiet">{caption}</span>
        {rate !== null && caveat === null && interval !== null && (
          <span className="quiet small number">95 % interval {rangeText(interval)}</span>
        )}
      </p>
      <div className="bar-and-legend">
        <div
          className="bar"
          role="progressbar"
          aria-label="Scenarios finished"
          aria-valuemin={0}
          aria-valuemax={tally.total}
          aria-valuenow={settled}
          aria-valuetext={`${settled} of ${tally.total} scenarios finished, ${tally.passed} passed`}
        >
          <svg viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
            {PARTS.map(([part]) => {
              const width = tally.total === 0 ? 0 : (tally[part] / tally.total) * 1_000;
              const x = offset;
              offset += width;
              return <rect key={part} className={part} x={x} width={width} height="14" />;
            })}
          </svg>
        </div>
        <ul className="legend">
          {PARTS.filter(([part]) => live !== null || (part !== 'active' && tally[part] > 0)).map(([part, label]) => (
            <li key={part}>
              <span className={`swatch ${part}`} aria-hidden="true" />
              <span className="number">{tally[part]}</span> {part === 'error' && tally.error === 1 ? 'error' : label}
            </li>
          ))}
          <li className="of">
            <span className="number">
              {wasCanceled ? settled - tally.canceled : settled} / {tally.total}
            </span>{' '}
            {wasCanceled ? 'finished before the run was canceled' : 'finished'}
            {live !== null && <TimeLeft run={run} settled={settled} total={tally.total} />}
          </li>
          {live !== null && <ReplyTime live={live} />}
        </ul>
      </div>
      {caveat !== null && <p className="caveat">{caveat}</p>}
      {live === null && rate !== null && <Gravity run={run} statistics={statistics} />}
      {against !== null && <Against run={run} found={against} />}
      {error !== null && <Problem error={error} />}
      {live !== null && <Announcement settled={settled} total={tally.total} />}
    </section>
  );
}

/** With fewer finished, the first of a slow start would decide. */
const ENOUGH_FINISHED = 3;

/** How long the rest will take at the pace so far; nothing as long as too little has finished to say. */
function TimeLeft({
  run,
  settled,
  total,
}: {
  readonly run: TestRun;
  readonly settled: number;
  readonly total: number;
}) {
  if (run.started_at === null || settled < ENOUGH_FINISHED || settled >= total) return null;
  const elapsed = Date.now() - new Date(run.started_at).getTime();
  // The clocks of browser and service may differ.
  if (elapsed <= 0) return null;
  return <span className="quiet">, about {durationText((elapsed / settled) * (total - settled))} left</span>;
}

/** How fast the agent has answered so far. */
function ReplyTime({ live }: { readonly live: LiveRunState }) {
  let [replies, ms] = [0, 0];
  for (const one of live.scenarios.values()) {
    replies += one.replies;
    ms += one.repliesMs;
  }
  if (replies === 0) return null;
  return (
    <li className="quiet">
      the agent answers in <span className="number">{durationText(ms / replies)}</span> on average
    </li>
  );
}

/** Announces progress to screen readers: each tenth is news, each scenario would be noise. */
function Announcement({ settled, total }: { settled: number; total: number }) {
  const tenths = total === 0 ? 0 : Math.floor((settled / total) * 10);
  return (
    <p className="unseen" role="status">
      {tenths * 10} % of {total} scenarios finished.
    </p>
  );
}

function tallyOfRun(run: TestRun): Tally {
  return {
    passed: run.passed_count,
    failed: run.failed_count,
    error: run.error_count,
    canceled: run.canceled_count,
    active: 0,
    total: run.total_scenarios,
  };
}

function tallyOfEvents({ scenarios }: LiveRunState, run: TestRun): Tally {
  const of: Record<ScenarioRunStatus, number> = {
    pending: 0,
    running: 0,
    grading: 0,
    passed: 0,
    failed: 0,
    error: 0,
    canceled: 0,
  };
  for (const { status } of scenarios.values()) of[status] += 1;
  return { ...of, active: of.running + of.grading, total: run.total_scenarios };
}
