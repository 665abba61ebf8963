import { z } from 'zod';
import { id, queryNumber } from './field';
import { operation } from './operation';
import { spokenEntry, spokenSentence } from './spoken-turns';
import { INTERJECTION_OUTCOMES } from './speech-measures';
import { MODALITIES } from '../src/domain';

/** Samples a second of every recording. */
export const RECORDING_RATE = 16_000;

export const TRACKS = ['both', 'patient', 'agent'] as const;
export type TrackChoice = (typeof TRACKS)[number];

/** A call is not longer: beyond, the service would have ended it. */
const LONGEST_CALL_MS = 24 * 60 * 60_000;
/** The most values of each track in one answer: an hour at 50 a second. */
export const MOST_PEAKS = 180_000;

const momentOf = (what: string) =>
  queryNumber(z.int().min(0).max(LONGEST_CALL_MS)).optional().describe(`${what}, in ms since the call began.`);

const partFields = {
  from: momentOf('Where the part begins; without it, at the beginning'),
  to: momentOf('Where the part ends; without it, at the end'),
};

const NO_RECORDING =
  'Scenario run not found; or it was in text; or its recording was not kept, is deleted, or is that of the scenario run it was derived from.';

const UNDER_WAY = 'The conversation is under way, or a piece of the recording is damaged.';

export const getRecording = operation({
  id: 'getRecording',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/recording.wav',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: 'Listen to a spoken conversation: a WAV file of 16,000 samples a second, 16 bits',
  description:
    'The patient on the left, the agent on the right, both on the time of the call; with `track` one of them alone, as mono. It takes ' +
    'Range requests. Every piece is checked against its hash before anything is sent. Where KEEP_RECORDINGS=evidence has left only ' +
    'parts, the others are silence: `speech` lists what is kept.',
  query: z.object({
    ...partFields,
    track: z.enum(TRACKS).default('both').describe('both: stereo; patient, agent: one channel.'),
  }),
  answers: {
    200: { description: 'The recording.', produces: 'audio/wav' },
    206: { description: 'The bytes that Range asks for.', produces: 'audio/wav' },
    400: 'from is not before to, or a parameter is wrong.',
    404: NO_RECORDING,
    409: UNDER_WAY,
    416: 'Range begins behind the end of the recording.',
  },
});

const peaks = z
  .array(z.int().min(0).max(255))
  .describe('The greatest amplitude of each interval: 0 is silence, 255 is full scale.');

export const recordingPeaks = z
  .object({
    scenario_run_id: id,
    from_ms: z.int().min(0),
    to_ms: z.int().min(0),
    per_second: z.number().describe('Values a second, as they are: fewer than asked for where the part is very long.'),
    patient: peaks,
    agent: peaks,
  })
  .meta({ id: 'RecordingPeaks' });

export type RecordingPeaks = z.infer<typeof recordingPeaks>;

export const getRecordingPeaks = operation({
  id: 'getRecordingPeaks',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/peaks',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: 'Get how loud both sides of a spoken conversation were, to draw it',
  query: z.object({
    ...partFields,
    per_second: queryNumber(z.int().min(1).max(200).default(50)).describe('Values a second of each track.'),
  }),
  answers: {
    200: { description: 'The peaks of both tracks.', schema: recordingPeaks },
    400: 'from is not before to, or a parameter is wrong.',
    404: NO_RECORDING,
    409: UNDER_WAY,
  },
});

/** What is marked in a timeline. */
const MOMENTS = ['interruption', 'backchannel', 'premature_start', 'dead_air', 'red_flag'] as const;

export const spokenTimeline = z
  .object({
    scenario_run_id: id,
    modality: z.enum(MODALITIES),
    start_ms: z
      .number()
      .nullable()
      .describe('When the patient’s track could first be heard; null where that is not kept.'),
    timing_error_ms: z
      .number()
      .nullable()
      .describe(
        'The error of every time at the 95th percentile, as this machine was calibrated; null where it was not.',
      ),
    recording: z.object({
      state: z
        .enum(['kept', 'partly', 'none', 'under_way'])
        .describe(
          'partly: only what holds evidence is left; under_way: it can be heard when the conversation is over.',
        ),
      ends_ms: z.number().nullable().describe('The length of what is kept; null where nothing is.'),
      kept: z
        .array(z.object({ from_ms: z.number(), to_ms: z.number() }))
        .describe('What is kept of either track. Between these stretches both are silent, or deleted.'),
      note: z.string().nullable().describe('Why nothing, or not all, can be heard; null where all can.'),
    }),
    entries: z
      .array(
        z.object({
          turn: z.int().min(1),
          role: z.enum(['patient', 'agent']),
          content: z.string(),
          spoken: spokenEntry,
          sentences: z
            .array(spokenSentence.extend({ text: z.string() }))
            .describe('Those of `content` whose times are known, in order.'),
          account: z
            .array(
              z.object({
                own: z.string(),
                sound: z.string(),
                same: z.boolean().describe('False where the words differ, or only one of the two has some.'),
              }),
            )
            .nullable()
            .describe(
              'The agent’s own account beside the words that were heard, or without an ear beside those that its voice is long enough for; null where there is no account, it is too long, or the words heard are doubted. Of the agent only.',
            ),
        }),
      )
      .describe('What was said when, of every turn that was spoken.'),
    marks: z
      .array(
        z.object({
          kind: z.enum(MOMENTS),
          turn: z.int().min(1),
          from_ms: z.number(),
          to_ms: z.number(),
          outcome: z
            .enum(INTERJECTION_OUTCOMES)
            .nullable()
            .describe('What became of an interruption or a backchannel; null of the others.'),
          after_ms: z
            .number()
            .nullable()
            .describe('From the patient’s words to the agent’s silence; null where the agent was not speaking.'),
        }),
      )
      .describe(
        'What happened at a moment, by the definitions of the measures, in the order of the call: premature_start from the agent’s first sound to the end of the patient’s turn; dead_air, a silence over 4 s that the patient’s side did not cause; red_flag, the patient’s first sentence with one of the scenario’s `red_flags`.',
      ),
  })
  .meta({ id: 'SpokenTimeline' });

export type SpokenTimeline = z.infer<typeof spokenTimeline>;

export const getSpokenTimeline = operation({
  id: 'getSpokenTimeline',
  method: 'GET',
  path: '/api/v1/scenario-runs/{id}/speech',
  tag: 'Scenario runs',
  role: 'viewer',
  summary: 'Get who said what when in a spoken conversation',
  description:
    'Also while it is under way. `audacity` is a label track for the recording: start, end and words, in seconds.',
  query: z.object({ format: z.enum(['json', 'audacity']).default('json') }),
  answers: {
    200: { description: 'The timeline.', schema: spokenTimeline, produces: 'text/plain' },
    400: 'format is unknown.',
    404: 'Scenario run not found, or it was in text.',
  },
});
