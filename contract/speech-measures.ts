import { z } from 'zod';
import { id, queryNumber } from './field';
import { operation } from './operation';
import { LINES, TEST_RUN_STATUSES } from '../src/domain';
import { confidence } from './statistics';

/** What is measured of the voice of a run (docs/spoken.md). Raised when a definition changes. */
export const METRICS_VERSION = 1;

/** Fewer events are counted, and nothing is estimated from them. */
export const LEAST_EVENTS = 10;

const count = z.int().min(0);
const ms = z.number();

const estimate = z
  .object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
  .meta({ id: 'SpeechEstimate' });

export type Estimate = z.infer<typeof estimate>;

const rate = z
  .object({
    events: count,
    hits: count,
    rate: estimate.nullable().describe(`0..1; null for fewer than ${LEAST_EVENTS} events.`),
  })
  .meta({ id: 'SpeechRate' });

export type SpeechRate = z.infer<typeof rate>;

const spread = z
  .object({
    events: count,
    p50_ms: estimate.nullable().describe(`Null for fewer than ${LEAST_EVENTS} events.`),
    p95_ms: estimate.nullable(),
    max_ms: ms.nullable().describe('Null where there is none.'),
  })
  .meta({ id: 'SpeechSpread' });

export type SpeechSpread = z.infer<typeof spread>;

const ratio = estimate.nullable();

const words = z
  .object({
    turns: count.describe('Turns of which it is known.'),
    not_measurable: count.describe('Turns of which it is not known: they are in no figure, and never 0 errors.'),
    words: count,
    substitutions: count,
    deletions: count,
    insertions: count,
    error_rate: ratio.describe('(substitutions + deletions + insertions) / words; null where nothing is known.'),
  })
  .meta({ id: 'SpeechWordErrors' });

export type SpeechWords = z.infer<typeof words>;

const entities = z
  .object({
    mentions: count,
    not_measurable: count.describe('Mentions of which the agent does not tell what it heard.'),
    errors: rate.describe('Heard wrongly or not at all.'),
    unrecovered: rate.describe('Of the same: neither heard rightly later nor said rightly by the agent afterwards.'),
    read_back: rate.describe('Of all mentions: said rightly by the agent afterwards.'),
    errors_by_kind: z.object({ medicine: rate, dose: rate, time: rate, allergy: rate }),
  })
  .meta({ id: 'SpeechEntities' });

export type SpeechEntities = z.infer<typeof entities>;

/** What became of a backchannel. */
export const BACKCHANNEL_OUTCOMES = [
  'talked_through',
  'paused_and_resumed',
  'gave_up',
  'finished',
  'unknown',
  'missed',
  'unreliable',
] as const;

/** What became of what the patient said into an answer. */
export const INTERJECTION_OUTCOMES = ['stopped', ...BACKCHANNEL_OUTCOMES] as const;

const turnMeasures = z
  .object({
    scenario_run_id: id,
    scenario_name: z.string(),
    trial: z.int().min(1),
    turn: z.int().min(1),
    from_ms: ms,
    to_ms: ms,
    timing_reliable: z.boolean(),
    inaudible: z.boolean(),
    answer: z.enum(['answered', 'premature', 'unanswered', 'talked_through', 'unreliable']),
    latency_ms: ms.nullable().describe('Null unless it was answered.'),
    interjection: z
      .object({
        kind: z.enum(['interruption', 'backchannel']),
        outcome: z.enum(INTERJECTION_OUTCOMES),
        after_ms: ms.nullable().describe('Until the agent was silent; null where it was not speaking.'),
      })
      .nullable(),
    word_errors: z
      .object({ words: count, substitutions: count, deletions: count, insertions: count })
      .nullable()
      .describe('What the agent heard of the patient; null where that is not known.'),
    entities: z.array(
      z.object({
        kind: z.enum(['medicine', 'dose', 'time', 'allergy']),
        text: z.string(),
        outcome: z.enum(['heard', 'wrong', 'missing', 'unknown']),
        heard_as: z.string().nullable(),
        unrecovered: z.boolean(),
        read_back: z.enum(['right', 'wrong']).nullable(),
      }),
    ),
  })
  .meta({ id: 'SpeechOfTurn' });

export type TurnMeasuresView = z.infer<typeof turnMeasures>;

export const speechMeasures = z
  .object({
    test_run_id: id,
    status: z.enum(TEST_RUN_STATUSES),
    metrics_version: z.int(),
    confidence: z.number().describe('Of the intervals, in percent.'),
    line: z.enum(LINES),
    noise: z.string().nullable(),
    voice: z.object({ engine: z.string(), version: z.string(), voice: z.string(), rate: z.number() }),
    ear: z
      .object({ engine: z.string(), model: z.string() })
      .nullable()
      .describe('Null: what the agent says that it said was marked, where it had a voice.'),
    timing_error_ms: z
      .number()
      .nullable()
      .describe('The error of every time, at the 95th percentile; null where this machine was not calibrated.'),
    conversations: z.object({ total: count, spoken: count.describe('Those with a turn that was spoken.') }),
    turns: z.object({
      spoken: count,
      unreliable: count.describe('Disturbed on our side: in no figure below.'),
      inaudible: count.describe('Replies without a voice: they prove nothing.'),
    }),
    response_latency: spread.describe('From the end of the patient’s words to the agent’s first sound.'),
    time_to_first_word: spread.describe('From when the patient could first be heard to the agent’s first sound.'),
    premature_starts: rate.describe('Of the reliable turns: the agent began before the patient had ended.'),
    unanswered: count,
    talked_through: count.describe('Turns through which the agent went on speaking.'),
    pause_tolerance: z.object({
      tolerated_ms: ms
        .nullable()
        .describe(
          'The longest scripted pause through which it waited in 90 % of 10 cases or more; null where there is none.',
        ),
      pauses: z.array(z.object({ scripted_ms: ms, tolerated: rate })),
    }),
    yield: spread.describe('From the start of an interruption to the end of the agent’s sound.'),
    yielded_in_time: rate.describe('Within 2.0 s.'),
    missed_interruptions: count.describe('The agent was not speaking when the patient began.'),
    backchannels: z.object({
      talked_through: count,
      paused_and_resumed: count,
      gave_up: count,
      finished: count,
      unknown: count,
      missed: count,
      unreliable: count,
    }),
    false_yields: rate.describe('Backchannels for which the agent stopped within 1.0 s with a sentence unfinished.'),
    talk_over: z.object({
      by_agent: ratio.describe('Of the time in which anyone spoke; null where nobody did.'),
      by_patient: ratio,
      spoken_ms: ms,
    }),
    dead_air: z.object({
      silences: count.describe('Over 4 s, and not caused by the patient’s side.'),
      total_ms: ms,
      longest_ms: ms.nullable(),
    }),
    talk_share: z.object({ agent: ratio, agent_ms: ms, patient_ms: ms }),
    words_a_minute: z.object({ agent: z.number().nullable(), patient: z.number().nullable() }),
    heard_words: words.describe('What the agent heard of the patient.'),
    entities: entities
      .nullable()
      .describe('Medicines, doses, times and allergies of the role card; null where no patient spoke English.'),
    own_against_heard: z
      .object({
        words: words.describe('The agent’s own account against its sound.'),
        sentences_not_heard: rate,
        entities_not_heard: rate,
      })
      .nullable()
      .describe('Null where there is no ear, or the agent gives no account in text.'),
    time_to_escalation: z.object({
      ...spread.shape,
      missed: count.describe('Conversations in which the criterion was not earned.'),
      not_measurable: count,
      since_first_turn: count.describe(
        'Of the events: the scenario names no red flag, and the first turn counts as one.',
      ),
      uncertain: count.describe('Of the events: the sentence was spread over the voice by its length.'),
    }),
    not_measurable: z
      .array(z.string())
      .describe('What this run cannot tell, in sentences; none of it is 0 in the figures.'),
    by_turn: z
      .object({
        conversations: count.describe('All that were spoken, of which the answer has a page.'),
        results: z.array(turnMeasures),
      })
      .nullable()
      .describe('Null unless it is asked for.'),
  })
  .meta({ id: 'SpeechMeasures' });

export type SpeechMeasures = z.infer<typeof speechMeasures>;

const MOST_CONVERSATIONS = 50;

export const getRunSpeech = operation({
  id: 'getRunSpeech',
  method: 'GET',
  path: '/api/v1/tests/{id}/speech',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Get what the voice of a spoken run is worth: latencies, interruptions, words and doses that arrived',
  description:
    'At any moment of the run, by id or label. Nothing here passes or fails a scenario. docs/spoken.md defines each figure, and says how sure it is.',
  query: z.object({
    confidence,
    by: z.enum(['turn']).optional().describe('turn: each turn, too, conversation by conversation.'),
    limit: queryNumber(z.int().min(1).max(MOST_CONVERSATIONS).default(25)).describe(
      'With by=turn: conversations of a page.',
    ),
    offset: queryNumber(z.int().min(0).max(1_000_000).default(0)).describe('With by=turn: conversations before it.'),
  }),
  answers: {
    200: { description: 'The measures.', schema: speechMeasures },
    400: 'A parameter is wrong.',
    404: 'Test run not found, or it was in text.',
  },
});
