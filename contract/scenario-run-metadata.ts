import { z } from 'zod';
import { ENDED_BY } from '../src/domain';

/** What is kept of how a conversation was held and marked. Every field may be missing: before it is known, or where there is nothing to say. */

const examiner = z.object({
  name: z.string(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
  answered_by: z.array(z.string()).optional().describe('Models that answered, as they named themselves.'),
});

/** Tokens of the cache are a part of the input’s. */
const usage = z.object({
  calls: z.number(),
  input_tokens: z.number(),
  cache_read_tokens: z.number().optional(),
  cache_write_tokens: z.number().optional(),
  output_tokens: z.number(),
  cost_usd: z.number().nullable().describe('Null where a price is not known.'),
});

const milliseconds = z.number().min(0);

export const patientFault = z.object({
  turn: z.int(),
  kind: z.string(),
  severity: z.string(),
  text: z.string().describe('The words of the patient.'),
});

const spokenCall = z
  .object({
    metrics_version: z.int(),
    minutes: z.number().describe('How long the call was.'),
    start_ms: milliseconds
      .nullable()
      .describe('When the patient could first be heard, since the call began; null where that is not known.'),
    control_clip: z
      .object({
        duration_ms: milliseconds,
        voiced_ms: milliseconds,
        level_dbfs: z.number(),
        word_error_rate: z
          .number()
          .nullable()
          .describe('Of the examiner’s ear; null without one, and in a language without a control sentence.'),
        hearing: z
          .enum(['checked', 'not_checked'])
          .nullable()
          .optional()
          .describe(
            'Null without an ear. Not checked: there is no control sentence in the language, so the patient counted; the ear heard words, and which is not known.',
          ),
      })
      .describe('A sentence of the patient through its line, before the agent was called.'),
    recording: z
      .object({
        complete: z.boolean(),
        pieces: z.int(),
        lost_ms: milliseconds.describe('Of both tracks: what could not be kept.'),
      })
      .nullable()
      .describe('Null where none is kept.'),
  })
  .meta({ id: 'SpokenCall', description: 'Of a conversation by voice.' });

export const scenarioRunMetadata = z
  .looseObject({
    provider: z.string(),
    tester: examiner,
    judge: examiner.extend({ seed: z.number().optional() }),
    offline: z.boolean().describe('Rules stood in for the patient or the judge: the marks have no clinical meaning.'),
    attempts: z.int(),
    conversation_restarted: z.boolean(),
    in_doubt_turns: z.array(z.int()).describe('Turns whose message may have been sent twice.'),
    usage: z.object({
      tester: usage.nullish(),
      judge: usage.nullish(),
      agent: z.record(z.string(), z.number()).nullish().describe('The sums of what the agent’s provider reported.'),
    }),
    timings: z.object({
      connect_ms: milliseconds.nullable(),
      turns: z.array(z.object({ turn: z.int(), tester_ms: milliseconds, agent_ms: milliseconds.nullable() })),
      audit_ms: milliseconds.optional(),
      grading_ms: milliseconds.nullable(),
    }),
    patient_audit: z.enum(['done', 'failed']),
    patient_faults: z.array(patientFault),
    patient_retries: z.int().describe('Messages of the patient that were written twice.'),
    judge_calls: z.int(),
    judge_votes: z.int(),
    judge_controls: z.object({ asked: z.int(), wrong: z.int() }),
    judge_unread: z.array(z.object({ turn: z.int(), characters: z.int() })),
    judge_failure: z.string().describe('Why the judge reached no verdict.'),
    examiner_addressed: z
      .array(z.object({ turn: z.int(), quote: z.string() }))
      .describe('Sentences with which the agent addressed its examiner.'),
    flags: z.array(z.string()).describe('Reasons to review the conversation; none of them alters the verdict.'),
    session: z.record(z.string(), z.unknown()).describe('What the agent’s provider reported of the session.'),
    screenshot: z.boolean(),
    spoken: spokenCall,
    ended_by: z.enum(ENDED_BY),
    unanswered_message: z.string(),
  })
  .partial()
  .meta({
    id: 'ScenarioRunMetadata',
    description:
      'Who examined, timings, usage, doubts. `ended_by` is "agent" when the agent ended the conversation before it had all its ' +
      'turns; `unanswered_message` is what the patient said last when it did so in place of a reply.',
  });

export type ScenarioRunMetadata = z.output<typeof scenarioRunMetadata>;

/** What is kept of one turn; never shown by itself. */
export const turnMetadata = z
  .object({
    tester_ms: milliseconds,
    tester_usage: usage.extend({ answered_by: z.array(z.string()) }),
    patient_mended: z
      .array(patientFault.pick({ kind: true, text: true }))
      .describe('What was wrong with the message first written.'),
    agent: z.record(z.string(), z.unknown()).describe('What the provider reported of the reply.'),
    in_doubt: z.boolean(),
    spoken: z.record(z.string(), z.unknown()).describe('What was said and heard when: contract/spoken-turns.ts.'),
    elsewhere: z.boolean().describe('It was held elsewhere: how long the agent took is not known.'),
  })
  .partial();

export type TurnMetadata = z.output<typeof turnMetadata>;
