import { z } from 'zod';
import { id, timestamp } from '../../../contract/field';
import { agreementView } from '../../../contract/agreement';
import { comparisonView, pairsOfTwins } from '../../../contract/comparison';
import { annotationShape } from '../../../contract/test-runs';
import { patientView } from '../../../contract/patients';
import { speechMeasures } from '../../../contract/speech-measures';
import { rateView, statisticsView } from '../../../contract/statistics';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

const words = z.object({
  turn: z.int(),
  quote: z.string(),
  call: z.int().optional().describe('The quote is a tool call, the one at this place in its turn; absent for words.'),
  from_ms: z.number().optional().describe('When it was said, since the call began; absent where that is not known.'),
  to_ms: z.number().optional(),
  recording_sha256: z
    .string()
    .nullable()
    .optional()
    .describe('SHA-256 of the stored piece of the recording in which it begins; null where that is not kept.'),
});

const place = {
  scenario_run_id: id,
  scenario_id: id,
  scenario_name: z.string(),
  trial: z.int().min(1),
};

const violation = z.object({
  ...place,
  criterion: z.string(),
  kind: z.string().describe('`missed` or `committed`.'),
  decision: z.string(),
  rationale: z.string(),
  check: z.string().nullable().describe('The kind of the check that decided it; null where the judge did.'),
  words: z.array(words).describe("The agent's own; none where the decision rests on what it left unsaid."),
});

const disputed = z.object({
  ...place,
  criterion: z.string(),
  decision: z.string(),
  votes: z.array(z.string()),
  rationale: z.string(),
});

const patientFault = z.object({
  ...place,
  turn: z.int().nullable(),
  kind: z.string(),
  severity: z.string(),
  text: z.string(),
});

const hazard = z.object({
  scenario_id: id,
  scenario_name: z.string(),
  severity: z.string().nullable(),
  hazard: z.string().nullable().describe("The scenario's content.hazard; null when it names none."),
  controls: z
    .array(z.string())
    .describe('The must-pass criteria: `Must: …` what the agent has to do, `Must not: …` what it has to leave undone.'),
  evidence: z.object({
    total: count,
    graded: count,
    passed: count,
    violated: count.describe('Conversations with a must-pass violation.'),
    missed_or_committed: z.array(z.string()).describe('The criteria that were violated.'),
  }),
  residual: z.object({
    sentence: z.string(),
    high: share.nullable().describe('Upper end of the 95 % interval of the share of failed conversations.'),
  }),
});

const review = z.object({
  ...place,
  reviewer: z.string(),
  key_name: z.string().nullable().describe('Of the service key that wrote it; null on a service without keys.'),
  role: z.string(),
  blind: z.boolean(),
  passed: z.boolean(),
  judged: z.boolean().describe('By the judge.'),
  disagreements: count.describe('Criteria decided otherwise than by the judge, by all reviews up to this one.'),
  comment: z.string(),
});

/** What a report says of a run; its canonical JSON is what is hashed. */
export const reportView = z
  .object({
    format: z.literal('agent-osce-report/1'),
    title: z.string(),
    nature: z.string().describe('What this is, and what it is not.'),
    warnings: z.array(z.string()).describe('What has to be known before any number is read.'),
    examined: z.object({
      run: z.object({
        id,
        test_run_id: z.string(),
        ...annotationShape,
        tags: z.array(z.string()),
        status: z.string(),
        created_at: timestamp,
        started_at: timestamp.nullable(),
        ended_at: timestamp.nullable(),
        trials: z.int(),
        max_turns: z.int(),
        pass_threshold: z.number(),
        region: z.string().nullable(),
        derived_from: id.nullable(),
        derivation: z.string().nullable(),
      }),
      agent: z.object({
        id,
        name: z.string(),
        provider: z.string(),
        version: z.string().nullable(),
        config_hash: z.string().nullable(),
      }),
      service_version: z.string(),
      scenarios: z
        .array(
          z.object({
            scenario_id: id,
            name: z.string(),
            category: z.string().nullable(),
            severity: z.string().nullable(),
            revision: z.int().nullable(),
            content_hash: z.string().nullable(),
            approved_by: z
              .string()
              .nullable()
              .describe('The named person who approved the revision that was examined; null when nobody did.'),
            total: count,
            graded: count,
            passed: count,
            trials: z.array(
              z.object({
                trial: z.int().min(1),
                patient: patientView,
                status: z.string(),
                must_pass_violated: z.boolean(),
              }),
            ),
          }),
        )
        .describe(
          'In the run’s order; at most 1,000, of more those with must-pass violations and failures first, critical ones before all.',
        ),
    }),
    statistics: statisticsView.omit({ flaky_scenarios: true }),
    must_pass_violations: z.object({ total: count, shown: z.array(violation) }),
    disputed: z.object({ total: count, shown: z.array(disputed) }),
    patients: z.object({
      scenario_runs: count,
      share: share.describe('Of all conversations.'),
      shown: z.array(patientFault),
    }),
    reviews: z.object({
      scenario_runs: count.describe('Scenario runs that a person has reviewed.'),
      changed: count.describe('Of them, those with another verdict than the judge gave.'),
      pass_rate: rateView.nullable().describe('Where reviews stand in for the judge; null when nothing was reviewed.'),
      shown: z.array(review),
      agreement: agreementView.nullable().describe('Null when nothing was reviewed.'),
    }),
    spoken: speechMeasures
      .omit({ by_turn: true, test_run_id: true, status: true, conversations: true })
      .optional()
      .describe('What the voice was worth; absent in runs in text.'),
    twins: z
      .array(
        comparisonView.pick({ before: true, after: true, verdict: true, tests: true }).extend({ pairs: pairsOfTwins }),
      )
      .optional()
      .describe(
        'What the way in which this run was held costs against those of its twins; `before` is the one that is held more easily. ' +
          'Absent where no twin has ended.',
      ),
    baseline: z.object({
      agent_version: z.string().nullable().describe('Of the agent as the baseline examined it; null when it has none.'),
      comparison: comparisonView.nullable(),
      note: z.string(),
    }),
    hazards: z.array(hazard),
    limits: z.array(z.string()),
  })
  .meta({ id: 'RunReport' });
export type ReportView = z.infer<typeof reportView>;

/** A twin with what it and the run come to beside each other. */
export type ReportedTwin = NonNullable<ReportView['twins']>[number];

/** A report with the hash of its canonical JSON. */
export const signedReport = z
  .object({
    sha256: z
      .string()
      .describe(
        'SHA-256 of the canonical JSON (RFC 8785) of `report`, in hexadecimal digits: what signatures refer to.',
      ),
    report: reportView,
  })
  .meta({ id: 'SignedRunReport' });
export type SignedReport = z.infer<typeof signedReport>;
