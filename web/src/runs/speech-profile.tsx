import { useQuery } from '@tanstack/react-query';
import type { Estimate, SpeechMeasures, SpeechRate, SpeechSpread } from '../../../contract/speech-measures';
import { isFinalTestRun } from '../../../src/domain';
import { getSpeechMeasures } from '../api/recordings';
import type { TestRun } from '../api/runs';
import { Loading } from '../parts/loading';
import { counted, percentText, rangeText } from '../parts/numbers';
import { Problem } from '../parts/problem';

/** How the agent of a spoken run speaks, by what was measured over all of its conversations; nothing of a run in text or under way. */
export function SpeechProfile({ run }: { readonly run: TestRun }) {
  const isMeasured = run.modality === 'spoken' && isFinalTestRun(run.status);
  const measured = useQuery({
    queryKey: ['speech', run.id],
    queryFn: ({ signal }) => getSpeechMeasures(run.id, signal),
    enabled: isMeasured,
    staleTime: Infinity,
  });
  if (!isMeasured) return null;
  return (
    <section className="panel stack" aria-labelledby="speech-title">
      <h2 id="speech-title">How the agent speaks</h2>
      {measured.isPending && <Loading />}
      {measured.error !== null && <Problem error={measured.error} />}
      {measured.data !== undefined && <Measures measures={measured.data} />}
    </section>
  );
}

function Measures({ measures }: { readonly measures: SpeechMeasures }) {
  const { turns, timing_error_ms: error, dead_air: deadAir } = measures;
  const rows: readonly (readonly [measure: string, found: string])[] = [
    ['Answers begin after', spreadText(measures.response_latency)],
    ['First word after', spreadText(measures.time_to_first_word)],
    ['Began before the patient had ended', rateText(measures.premature_starts)],
    ['Silent within 2.0 s of an interruption', rateText(measures.yielded_in_time)],
    ['From an interruption to silence', spreadText(measures.yield)],
    ['Stopped in a sentence at “uh-huh”', rateText(measures.false_yields)],
    ['Waits through pauses of', seconds(measures.pause_tolerance.tolerated_ms)],
    ['Silences over 4 s', `${deadAir.silences}, longest ${seconds(deadAir.longest_ms)}`],
  ];
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([measure, found]) => (
            <tr key={measure}>
              <th scope="row">{measure}</th>
              <td>{found}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="help">
        {counted(turns.spoken, 'turn')}; those that were disturbed on our side ({turns.unreliable}) are in no figure.
        Intervals are of {measures.confidence} %; fewer than 10 events are only counted.{' '}
        {error === null
          ? 'This machine was not calibrated: the error of these times is not known.'
          : `Times are right within ${error} ms.`}
      </p>
    </>
  );
}

function rateText({ hits, events, rate }: SpeechRate): string {
  const share =
    rate === null ? '' : `, ${percentText(rate.value * 100)}${interval(rate, (part) => part * 100, rangeText)}`;
  return `${hits} of ${events}${share}`;
}

function spreadText({ events, p50_ms: p50, p95_ms: p95, max_ms: most }: SpeechSpread): string {
  if (events === 0) return 'not measured';
  const middle = p50 === null || p95 === null ? '' : `${seconds(p50.value)} (median), ${seconds(p95.value)} (95 %), `;
  return `${middle}${seconds(most)} at most, of ${events}`;
}

function interval(
  { low, high }: Estimate,
  scaled: (part: number) => number,
  text: (range: { readonly low: number; readonly high: number }) => string,
): string {
  return low === null || high === null ? '' : ` (${text({ low: scaled(low), high: scaled(high) })})`;
}

function seconds(ms: number | null): string {
  return ms === null ? 'not measured' : `${(ms / 1_000).toFixed(2)} s`;
}
