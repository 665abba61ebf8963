import { z } from 'zod';
import { filledText, givenId, id, queryNumber } from './field';
import { sample, seed } from './review-queue';
import { DECISIONS } from '../src/domain';
import { operation } from './operation';

const agreementQuery = z.object({
  judge: filledText(200)
    .optional()
    .describe('Only what this judge marked: its name, such as offline, its model, or the version of its prompts.'),
  tag: filledText(200).optional().describe('Only criteria with this tag, such as must_pass.'),
  test_run_id: givenId.optional().describe('Only conversations of this run: UUID or label.'),
  confidence: queryNumber(z.number().min(50).lt(100).default(95)).describe(
    'The confidence level of the intervals, in percent.',
  ),
  sample: sample.describe('As the review queue was asked for; the corrected pass rate needs its random sample.'),
  seed: seed.describe('The seed that the review queue was asked with.'),
});

const count = z.int().min(0);

const measure = (what: string, least: number, most: number) =>
  z
    .object({
      value: z.number().min(least).max(most).nullable(),
      low: z.number().min(least).max(most).nullable(),
      high: z.number().min(least).max(most).nullable(),
      reason: z.string().nullable().describe('Why there is no value, or no interval.'),
    })
    .describe(what);

const confusion = z
  .object({ decisions: z.array(z.enum(DECISIONS)), counts: z.array(z.array(count)) })
  .describe('How often a reviewer decided the row where the judge decided the column.');

const betweenRaters = {
  pairs: count.describe('Of decisions on the same criterion.'),
  confusion,
  raw: measure('Percent of the decisions that are the same.', 0, 100),
  kappa: measure(
    'Cohen’s κ. Low where nearly everything is decided alike, though nearly all agree: read it with `ac1`.',
    -1,
    1,
  ),
  ac1: measure('Gwet’s AC1.', -1, 1),
  macro_f1: measure('The mean F1 of MET and NOT MET, 0 to 1.', 0, 1),
};

export const reason = z.string();

export const agreementView = z
  .object({
    test_run_id: id.nullable(),
    judge: z.string().nullable(),
    tag: z.string().nullable(),
    confidence: z.number(),
    conversations: count.describe('Reviewed blind, with criteria that were asked for.'),
    criteria: count.describe('Reviewed.'),
    raters: count.describe('People who reviewed them.'),
    not_blind: count.describe('Conversations left out because their reviewer had seen the judge’s marks.'),
    judges: z
      .array(
        z.object({
          name: z.string(),
          model: z.string().nullable(),
          prompt_version: z.string().nullable(),
          conversations: count,
        }),
      )
      .describe('Who marked them. More than one: the agreement is that of a mixture.'),
    with_judge: z
      .object({
        ...betweenRaters,
        faults: count.describe('Pairs about something the agent must not do.'),
        sensitivity: measure(
          'Percent of the faults that reviewers found, in whole or in part, that the judge found.',
          0,
          100,
        ),
        specificity: measure('Percent of what reviewers found to be no fault that the judge found to be none.', 0, 100),
      })
      .describe('The judge against the reviewers.'),
    between_reviewers: z
      .object({ conversations: count, ...betweenRaters })
      .nullable()
      .describe('Reviewers against each other, the earlier in the rows. Null where no two reviewed the same.'),
    corrected_pass_rate: z
      .union([
        z.object({
          value: z.number().min(0).max(100),
          low: z.number().min(0).max(100),
          high: z.number().min(0).max(100),
          judged: z.number().min(0).max(100).describe('By the judge alone.'),
          sensitivity: z.number().describe('Percent of what reviewers pass that the judge passes.'),
          specificity: z.number().describe('Percent of what reviewers fail that the judge fails.'),
          reviewed: count,
          graded: count,
          reason: z.null(),
        }),
        z.object({ value: z.null(), reason }),
      ])
      .describe('The graded pass rate without the judge’s errors (Rogan and Gladen), or why it cannot be said.'),
  })
  .meta({ id: 'Agreement' });

export type AgreementView = z.infer<typeof agreementView>;

export const getAgreement = operation({
  id: 'getAgreement',
  method: 'GET',
  path: '/api/v1/agreement',
  tag: 'Reviews',
  role: 'viewer',
  summary: 'Get how well the judge and the reviewers agree',
  description:
    'Over conversations that a person reviewed without seeing the judge’s marks. Intervals are drawn by a fixed seed, conversation by conversation. ' +
    'docs/reviews.md says what each number answers.',
  query: agreementQuery,
  answers: {
    200: { description: 'The agreement.', schema: agreementView },
    400: 'A parameter is wrong.',
    404: 'Test run not found',
  },
});
