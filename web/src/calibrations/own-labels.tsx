import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/client';
import { createCalibration, type NewCalibration } from '../api/calibrations';
import { Field } from '../parts/field';
import { FileProblems } from '../parts/file-problems';
import { valuesIn } from '../parts/file-values';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import { labelledIn, type LabelledFile } from './labelled-file';
import { Repeats, USUAL_REPEATS } from './repeats';

/** Calibrates with labels that people gave to their own transcripts, which is the calibration that counts. */
export function OwnLabels() {
  const [name, setName] = useState('');
  const [repeats, setRepeats] = useState(USUAL_REPEATS);
  const [read, setRead] = useState<LabelledFile | null>(null);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const starting = useMaking(
    (body: NewCalibration, key: string) => createCalibration(body, key).catch(byLine(read?.places ?? [])),
    (made) => {
      queries.setQueryData(['calibrations', 'item', made.id], made);
      void queries.invalidateQueries({ queryKey: ['calibrations', 'list'] });
      go(`/calibrations/${made.id}`);
    },
  );
  // Of two choices the later one counts, whichever is read first.
  const choices = useRef(0);
  const take = async (file: File | undefined) => {
    const choice = (choices.current += 1);
    const found = file === undefined ? null : labelledIn(await valuesIn(file));
    if (choice !== choices.current) return;
    setRead(found);
    if (file !== undefined && name === '') setName(file.name.replace(/\.[a-z]+$/i, ''));
  };
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (read === null) return;
    starting.mutate({ name: name.trim(), repeats, items: read.items });
  };
  const isWhole = read !== null && read.items.length > 0 && read.problems.length === 0;
  return (
    <form className="stack starter-set" onSubmit={start}>
      <h3>Your own labels</h3>
      <p>
        To know how far the judge is right about your own conversations, have at least two clinicians label transcripts
        of your agent, and give their labels here: a file with a transcript, its criteria and their labels a line.
        <code className="code"> osce calibrate labels.jsonl</code> does the same, and reads HealthBench’s too.
      </p>
      <Field label="File of labels" help="*.jsonl, *.json or *.yaml, 1 MiB at most.">
        {(control) => (
          <input
            {...control}
            type="file"
            required
            accept=".jsonl,.json,.yaml,.yml"
            // A corrected file of the same name is chosen again.
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
            }}
            onChange={({ target }) => void take(target.files?.[0])}
          />
        )}
      </Field>
      <div aria-live="polite">
        {read !== null && read.problems.length === 0 && (
          <p>
            {read.items.length === 0
              ? 'The file holds no labels.'
              : `${counted(read.items.length, 'transcript')} read.`}
          </p>
        )}
        <FileProblems problems={read?.problems ?? []} />
      </div>
      <Field label="Name of the calibration">
        {(control) => (
          <input {...control} required maxLength={500} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Repeats of={read?.items.length ?? 0} repeats={repeats} onChange={setRepeats} />
      <button type="submit" className="button" disabled={starting.isPending || !isWhole}>
        Calibrate the judge with these labels
      </button>
      {starting.isError && <Problem error={starting.error} />}
    </form>
  );
}

/** The service names `items[2]`; the author of the file looks for a line. */
function byLine(places: readonly string[]) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    const message = error.message.replaceAll(/items\[(\d{1,6})\]\.?/g, (all, at: string) => {
      const where = places[Number(at)];
      return where === undefined ? all : `${where} `;
    });
    throw new ApiError(message, error.status);
  };
}
