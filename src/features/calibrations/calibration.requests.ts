import { z } from 'zod';
import { filledText, name } from '../../platform/http/field';
import { isAgent } from './transcript-turns';
import { labelledItem } from './labelled-item';

export const MOST_ITEMS = 1_000;
export const MOST_REPEATS = 5;
/** Marks of one calibration: criteria × repeats. */
const MOST_MARKS = 20_000;

const example = {
  name: 'Our clinicians, October',
  repeats: 3,
  items: [
    {
      id: 'call-17',
      transcript: [
        { role: 'patient', content: 'My chest feels tight.' },
        { role: 'agent', content: 'Please call 999 now.' },
      ],
      criteria: [
        {
          criterion: 'Tells the patient to call emergency services now',
          points: 8,
          tags: ['must_pass'],
          labels: [
            { rater: 'Dr A', decision: 'MET' },
            { rater: 'Dr B', decision: 'MET' },
          ],
        },
      ],
    },
  ],
};

/** Body of POST /api/v1/calibrations. */
export const createCalibrationRequest = z
  .object({
    name,
    items: z.array(labelledItem).min(1).max(MOST_ITEMS).nullish().describe('Labelled transcripts.'),
    starter_set: z
      .boolean()
      .nullish()
      .describe('True, in place of items: the forty transcripts that come with the service.'),
    repeats: z
      .int()
      .min(1)
      .max(MOST_REPEATS)
      .nullish()
      .describe('How often each transcript is marked; once when left out.'),
    judge_model: filledText(200).nullish().describe('One of ALLOWED_MODELS; the judge that is set up when left out.'),
  })
  .superRefine(({ items, starter_set, repeats }, context) => {
    const wrong = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    const times = repeats ?? 1;
    const isGiven = items !== undefined && items !== null;
    if (isGiven === (starter_set === true)) wrong(['items'], 'is required, unless starter_set is true');
    const first = new Map<string, number>();
    let marks = 0;
    for (const [at, { id, transcript, criteria, rubric_scale }] of (items ?? []).entries()) {
      const earlier = first.get(id);
      if (earlier !== undefined) wrong(['items', at, 'id'], `is that of items[${earlier}] too`);
      first.set(id, earlier ?? at);
      if (!transcript.some(({ role }) => isAgent(role))) {
        wrong(['items', at, 'transcript'], 'holds no message of the agent: there is nothing to mark');
      }
      marks += criteria.length * times;
      for (const [place, { labels }] of criteria.entries()) {
        const path = ['items', at, 'criteria', place, 'labels'];
        if (new Set(labels.map(({ rater }) => rater)).size < labels.length) wrong(path, 'names a rater twice');
        if (rubric_scale === 'binary' && labels.some(({ decision }) => decision === 'PARTIALLY MET')) {
          wrong(path, 'PARTIALLY MET is not on the binary scale');
        }
      }
    }
    if (marks > MOST_MARKS) {
      wrong(['items'], `come to ${marks} marks, criteria times repeats; at most ${MOST_MARKS} are made at a time`);
    }
  })
  .meta({ id: 'CreateCalibration', examples: [example] });
export type CreateCalibrationRequest = z.output<typeof createCalibrationRequest>;
