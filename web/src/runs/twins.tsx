import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { canSpeak, isFinalTestRun, isVoiceOnly, LINES, twinsInOrder, wayInWords, type Line } from '../../../src/domain';
import { listTwins, startRun, type TestRun } from '../api/runs';
import { Field } from '../parts/field';
import { percentText, rangeText } from '../parts/numbers';
import { useMay } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { useMaking } from '../parts/use-making';

/** A run may get a twin by a start that is made elsewhere, and a twin ends while it is looked at. */
const LOOK_AGAIN_MS = 10_000;

/** Runs that examine the same as this one, held differently, and the start of another; nothing where neither is possible. */
export function Twins({ run }: { readonly run: TestRun }) {
  const mayRun = useMay('run');
  const found = useQuery({
    queryKey: ['twins', run.id],
    queryFn: ({ signal }) => listTwins(run.id, signal),
    refetchInterval: ({ state }) =>
      state.data?.runs.every(({ status }) => isFinalTestRun(status)) === true ? false : LOOK_AGAIN_MS,
  });
  const family = twinsInOrder([run, ...(found.data?.runs ?? [])]);
  const isOffered = mayRun && run.derivation === null && (run.modality === 'spoken' || canSpeak(run.agent_provider));
  if (family.length === 1 && !isOffered) return null;
  return (
    <section className="panel stack twins" aria-label="In text and by voice">
      {family.length > 1 && <Family run={run} family={family} />}
      {isOffered && <AnotherTwin run={run} family={family} />}
    </section>
  );
}

/** The pass rates of a family beside each other, each with the link that says what the difference from the first comes to. */
function Family({ run, family }: { readonly run: TestRun; readonly family: readonly TestRun[] }) {
  const [first] = family;
  return (
    <>
      <h2>{first?.modality === 'text' ? 'What voice costs' : 'What the line costs'}</h2>
      <table className="forest">
        <thead>
          <tr>
            <th scope="col">Held</th>
            <th scope="col" className="number">
              Passed
            </th>
            <th scope="col" className="plot">
              <span className="scale" aria-hidden="true">
                <span>0 %</span>
                <span>100 %</span>
              </span>
              <span className="unseen">Pass rate as a drawing</span>
            </th>
            <th scope="col">95 % interval</th>
          </tr>
        </thead>
        <tbody>
          {family.map((one) => (
            <Way key={one.id} of={one} isThis={one.id === run.id} first={first?.id ?? ''} />
          ))}
        </tbody>
      </table>
      <p className="quiet small">
        The same agent, scenarios, patients, trials and seeds. What the difference comes to is told by the comparison,
        which pairs the conversations; intervals that overlap do not.
        {family.length > 2 && ' The p-values of all lines that have ended are adjusted together.'}
      </p>
    </>
  );
}

interface WayProps {
  readonly of: TestRun;
  readonly isThis: boolean;
  /** The id of the run that the others are compared with. */
  readonly first: string;
}

function Way({ of: run, isThis, first }: WayProps) {
  const rate = run.graded_pass_rate ?? null;
  const name = capitalized(wayInWords(run.spoken));
  return (
    <tr className={isThis ? 'whole' : undefined}>
      <th scope="row">
        {isThis ? <Name>{name}</Name> : <Link href={`/runs/${run.id}`}>{<Name>{name}</Name>}</Link>}
        {isThis && <span className="quiet small"> (this run)</span>}
        {run.id !== first && (
          <>
            {' '}
            <Link href={`/compare?base=${first}&head=${run.id}`} className="small">
              compare
            </Link>
          </>
        )}
      </th>
      <td className="number" data-label="Passed">
        {rate === null ? <Status of={run.status} /> : percentText(rate.value)}
      </td>
      <td className="plot">{rate !== null && <Drawn rate={rate} />}</td>
      <td className="number figures" data-label="95 % interval">
        {rate !== null && rangeText(rate)}
      </td>
    </tr>
  );
}

function Drawn({ rate: { value, low, high } }: { readonly rate: NonNullable<TestRun['graded_pass_rate']> }) {
  const at = (percent: number) => `${percent}%`;
  return (
    <svg role="img" aria-label={`${percentText(value)}, 95 % interval ${rangeText({ low, high })}`}>
      <line className="zero" x1="0" x2="100%" y1="50%" y2="50%" />
      <line className="whisker" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
      <circle className="point" cx={at(value)} cy="50%" r={5} />
    </svg>
  );
}

/** Starts a twin: in text where there is none yet, by voice over any line. */
function AnotherTwin({ run, family }: { readonly run: TestRun; readonly family: readonly TestRun[] }) {
  const isTextOffered = family.every(({ modality }) => modality !== 'text') && !isVoiceOnly(run.agent_provider);
  const [line, setLine] = useState<Line>('wideband');
  const [noise, setNoise] = useState('');
  const queries = useQueryClient();
  const [, go] = useLocation();
  const making = useMaking(
    (fields: Omit<Parameters<typeof startRun>[0], 'twin_of'>, key) => startRun({ ...fields, twin_of: run.id }, key),
    ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] });
      void queries.invalidateQueries({ queryKey: ['twins'] });
      go(`/runs/${id}`);
    },
  );
  const speak = (event: FormEvent) => {
    event.preventDefault();
    making.mutate({ modality: 'spoken', spoken: { line, ...(noise.trim() !== '' && { noise: noise.trim() }) } });
  };
  return (
    <>
      {isTextOffered && (
        <div className="actions">
          <button
            type="button"
            className="button"
            disabled={making.isPending}
            onClick={() => making.mutate({ modality: 'text' })}
          >
            Run as text too
          </button>
        </div>
      )}
      {canSpeak(run.agent_provider) && (
        <form className="form" onSubmit={speak}>
          <div className="form-row">
            <Field label="Line" help="What lies between the patient and the agent.">
              {(control) => (
                <select
                  {...control}
                  value={line}
                  onChange={({ target }) => setLine(LINES.find((one) => one === target.value) ?? 'wideband')}
                >
                  {LINES.map((one) => (
                    <option key={one} value={one}>
                      {one.replace('_', ' ')}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label="Noise" optional help="Such as babble:10: behind the patient, who is 10 dB louder.">
              {(control) => (
                <input {...control} maxLength={40} value={noise} onChange={({ target }) => setNoise(target.value)} />
              )}
            </Field>
          </div>
          <div>
            <button type="submit" className="button" disabled={making.isPending}>
              {run.modality === 'text' ? 'Run as spoken too' : 'Run over this line too'}
            </button>
          </div>
        </form>
      )}
      {making.isError && <Problem error={making.error} />}
    </>
  );
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
