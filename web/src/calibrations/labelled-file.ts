import * as z from 'zod/mini';
import type { LabelledItem } from '../api/calibrations';
import type { FileContent, FileProblem } from '../parts/file-values';

/** What a file must have for the service to say anything of it: the service checks the rest. */
const item = z.looseObject({
  id: z.string(),
  transcript: z.array(z.looseObject({ role: z.enum(['patient', 'agent', 'user', 'assistant']), content: z.string() })),
  criteria: z.array(
    z.looseObject({
      criterion: z.string(),
      points: z.number(),
      labels: z.array(z.looseObject({ rater: z.string(), decision: z.enum(['MET', 'PARTIALLY MET', 'NOT MET']) })),
    }),
  ),
});

export interface LabelledFile {
  readonly items: readonly LabelledItem[];
  /** Where each of them is. */
  readonly places: readonly string[];
  readonly problems: readonly FileProblem[];
}

/** The labelled transcripts of a file, and what is none. */
export function labelledIn({ values, problems }: FileContent): LabelledFile {
  const items: LabelledItem[] = [];
  const places: string[] = [];
  const wrong = [...problems];
  for (const { where, value } of values) {
    const read = item.safeParse(value);
    if (read.success) {
      items.push(read.data);
      places.push(where);
    } else {
      const at = read.error.issues[0]?.path.map(String).join('.') ?? '';
      wrong.push({ where, problem: `is no labelled transcript${at === '' ? '' : `: look at ${at}`}` });
    }
  }
  return { items, places, problems: wrong };
}
