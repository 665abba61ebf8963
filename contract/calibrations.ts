import { z } from 'zod';
import { filledText, id, name, timestamp } from './field';
import { isAgent, labelledItem } from './labelled-items';
import { pageFields } from './page';
import { pageHeaders } from './headers';
import { operation } from './operation';

const MOST_ITEMS = 1_000;

const MOST_REPEATS = 5;

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
const createCalibrationRequest = z
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

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.

const count = z.int().min(0);

export const measure = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    reason: z.string().nullable().describe('Why there is no value, or no interval; else null.'),
  })
  .meta({ id: 'AgreementMeasure' });

const agreementView = z
  .object({
    transcripts: count,
    pairs: count.describe('Decisions compared.'),
    faults: count.describe('Of them, about criteria with negative points.'),
    confusion: z
      .array(z.array(count))
      .describe('Rows are the labels, columns the judge, both as MET, PARTIALLY MET, NOT MET.'),
    raw: measure.describe('Share of decisions that are the same, 0..1.'),
    kappa: measure.describe("Cohen's κ, −1..1. Low where nearly all are one decision, however well the judge does."),
    ac1: measure.describe("Gwet's AC1, −1..1."),
    macro_f1: measure.describe('Mean F1 of MET and NOT MET, 0..1.'),
    fault_sensitivity: measure.describe('Of the faults that the labels name, the share that the judge found.'),
    fault_specificity: measure.describe('Of what the labels call no fault, the share that the judge left alone.'),
  })
  .meta({ id: 'LabelAgreement' });

export type AgreementView = z.output<typeof agreementView>;

const consistency = z
  .object({
    pairs: count.describe('Criteria of a transcript times pairs of repeats.'),
    same: count,
    value: z.number().nullable().describe('same / pairs, 0..1; null when there are no such repeats.'),
  })
  .meta({ id: 'MarkConsistency' });

const disagreement = z
  .object({
    item_id: z.string(),
    criterion: z.string(),
    points: z.number(),
    doubtful: z.boolean(),
    labels: z.array(z.object({ rater: z.string(), decision: z.string() })),
    decisions: z.array(z.string()).describe('Of the judge, by repeat.'),
    rationale: z.string().describe('Of the first repeat that differs from a label.'),
    evidence: z
      .array(z.object({ turn: z.int(), quote: z.string() }))
      .default([])
      .describe("What that repeat quoted of the agent's words; at most five. Turns count from 1."),
  })
  .meta({ id: 'CalibrationDisagreement' });

export const calibrationResult = z
  .object({
    confidence: z.number().describe('Of the intervals, in percent.'),
    raters: z.array(z.string()).describe('At most 50 of their names.'),
    agreement: agreementView.describe('Every label with every mark of its criterion.'),
    agreement_clear: agreementView
      .nullable()
      .describe('The same without the doubtful criteria; null when none is marked as such.'),
    human_agreement: agreementView
      .nullable()
      .describe('Two raters with each other; null where no criterion has two labels.'),
    consistency: z.object({
      repeats: consistency.describe('Of repeats that saw the criteria in the same order.'),
      orders: consistency.describe('Of repeats that saw them in different orders.'),
    }),
    controls: z.object({
      asked: count,
      wrong: count,
      share: z.number().nullable().describe('wrong / asked, 0..1; null when none were asked, as offline.'),
    }),
    disputed: count.describe('Marks whose votes were not unanimous.'),
    failed: z.array(z.object({ kind: z.string(), count, message: z.string() })),
    usage: z.object({
      calls: count,
      input_tokens: count,
      output_tokens: count,
      cost_usd: z.number().nullable(),
      answered_by: z.array(z.string()),
    }),
    disagreements: z.array(disagreement).describe('The first 200 criteria where a mark differs from a label.'),
    disagreements_total: count,
  })
  .meta({ id: 'CalibrationResult' });

export type CalibrationResult = z.output<typeof calibrationResult>;

/** The fields of a judge that make its calibration stale when they change. */
export const JUDGE_CHANGES = ['model', 'prompt_version'] as const;

export const calibrationListItem = z
  .object({
    id,
    name: z.string(),
    source: z.string().describe('`given`, or `starter_set`.'),
    status: z.string().describe('`pending`, `running`, `completed`, `failed` or `canceled`.'),
    repeats: z.int(),
    transcripts: count,
    criteria: count,
    judge: z.object({ name: z.string(), model: z.string().nullable(), prompt_version: z.string().nullable() }),
    clinical: z.boolean().describe('False for the offline judge: its numbers say nothing of a language model.'),
    progress: z.object({ total: count, marked: count, failed: count }).describe('Transcripts times repeats.'),
    stale: z.boolean().describe('The judge that would be calibrated now is another model or has other prompts.'),
    changed: z.array(z.enum(JUDGE_CHANGES)).describe('What differs; empty unless it is stale.'),
    kappa: measure.nullable().describe("Cohen's κ of judge and labels; null until everything is marked."),
    ac1: measure.nullable().describe("Gwet's AC1 of the same."),
    error_message: z.string().nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'CalibrationListItem' });

export type CalibrationListItem = z.output<typeof calibrationListItem>;

const calibrationView = calibrationListItem
  .extend({
    notes: z.array(z.string()).describe('How to read the numbers, in sentences.'),
    result: calibrationResult.nullable().describe('Null until everything is marked.'),
  })
  .meta({ id: 'Calibration' });

export type CalibrationView = z.output<typeof calibrationView>;

const calibrationList = z.object({ calibrations: z.array(calibrationListItem), total: z.int() });

export type CalibrationList = z.output<typeof calibrationList>;

const listQuery = z.object(pageFields);

export const NOT_FOUND = 'Calibration not found';

export type JudgeChange = (typeof JUDGE_CHANGES)[number];

export const listCalibrations = operation({
  id: 'listCalibrations',
  method: 'GET',
  path: '/api/v1/calibrations',
  tag: 'Calibrations',
  role: 'viewer',
  summary: 'List calibrations, newest first',
  query: listQuery,
  answers: { 200: { description: 'A page of them.', schema: calibrationList, headers: pageHeaders } },
});

export const createCalibration = operation({
  id: 'createCalibration',
  method: 'POST',
  path: '/api/v1/calibrations',
  tag: 'Calibrations',
  role: 'admin',
  summary: 'Calibrate the judge: have it mark transcripts that people have labelled',
  description:
    'The transcripts are marked in the background, as those of runs are; GET the calibration to see its progress and results. ' +
    'docs/calibration.md says how to read the numbers.',
  body: createCalibrationRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The calibration; nothing is marked yet.', schema: calibrationView },
    400: 'A field is missing or wrong, or judge_model may not be used.',
  },
});

export const getCalibration = operation({
  id: 'getCalibration',
  method: 'GET',
  path: '/api/v1/calibrations/{id}',
  tag: 'Calibrations',
  role: 'viewer',
  summary: 'Get a calibration: its progress, and how well the judge agrees with the labels',
  answers: { 200: { description: 'The calibration.', schema: calibrationView }, 404: NOT_FOUND },
});

export const cancelCalibration = operation({
  id: 'cancelCalibration',
  method: 'POST',
  path: '/api/v1/calibrations/{id}/cancel',
  tag: 'Calibrations',
  role: 'runner',
  recorded: 'beside',
  summary: 'Cancel a calibration',
  description: 'Marks given so far are kept; nothing more is marked. A calibration that has ended stays as it is.',
  answers: { 200: { description: 'The calibration as it is now.', schema: calibrationView }, 404: NOT_FOUND },
});

export const deleteCalibration = operation({
  id: 'deleteCalibration',
  method: 'DELETE',
  path: '/api/v1/calibrations/{id}',
  tag: 'Calibrations',
  role: 'admin',
  summary: 'Delete a calibration, with its transcripts and marks',
  description: 'A running calibration is canceled first.',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});
