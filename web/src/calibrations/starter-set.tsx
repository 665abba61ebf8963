import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { createCalibration } from '../api/calibrations';
import { Problem } from '../parts/problem';
import { Repeats, USUAL_REPEATS } from './repeats';
import { useMaking } from '../parts/use-making';

/** Transcripts in the set that comes with the service. */
const TRANSCRIPTS = 40;

/** Starts a calibration with the labelled transcripts that come with the service, then goes there. */
export function StarterSet() {
  const [repeats, setRepeats] = useState(USUAL_REPEATS);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const starting = useMaking(createCalibration, (made) => {
    queries.setQueryData(['calibrations', 'item', made.id], made);
    void queries.invalidateQueries({ queryKey: ['calibrations', 'list'] });
    go(`/calibrations/${made.id}`);
  });
  const start = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate({ name: 'Starter set', starter_set: true, repeats });
  };
  return (
    <form className="stack starter-set" onSubmit={start}>
      <h3>The starter set</h3>
      <p>
        The starter set is a smoke test of the judge, not its validation: forty short consultations, written and
        labelled by one author. It shows a judge that is broken; doing well on it does not show that the judge is right
        about your conversations.
      </p>
      <Repeats of={TRANSCRIPTS} repeats={repeats} onChange={setRepeats} />
      <button type="submit" className="button primary" disabled={starting.isPending}>
        Calibrate the judge with the starter set
      </button>
      {starting.isError && <Problem error={starting.error} />}
    </form>
  );
}
