import { z } from 'zod';

/** What is kept and told of the sound of a turn. Times are ms since the call began, at the patient's ear. */

const ms = z.number();

const stretch = { from_ms: ms, to_ms: ms };

const voiced = z.object(stretch).meta({ id: 'SpokenStretch' });

export const spokenSentence = z
  .object({
    id: z.string().describe('`p1`, `p2` … of the patient; `s1`, `s2` … of the reply that was marked.'),
    ...stretch,
    certain: z.boolean().describe('False where the sentence was spread over the voice by its length.'),
  })
  .meta({ id: 'SpokenSentence' });

const pause = z
  .object({ ...stretch, scripted_ms: ms.describe('Its length as the script has it.') })
  .meta({ id: 'SpokenPause' });

const disturbance = z.object({ kind: z.string(), ...stretch }).meta({ id: 'SpokenDisturbance' });

const interjection = z
  .object({
    kind: z.enum(['interruption', 'backchannel']),
    ...stretch,
    reliable: z.boolean(),
    agent_unfinished: z
      .boolean()
      .nullable()
      .describe('Whether the agent had more to say when it stopped; null where its own text does not tell.'),
    words: z.string().nullish().describe('What the patient said.'),
  })
  .meta({ id: 'SpokenInterjection' });

const texts = {
  own: z.string().nullable().describe('What the agent says in text that it said; null where it does not say.'),
  heard: z.string().nullable().describe('What the examiner’s ear heard; null without one.'),
  heard_doubtful: z
    .union([z.boolean(), z.string()])
    .nullish()
    .describe('Why the words heard are doubted, or that they are; nothing where they are not.'),
  inaudible: z.boolean().describe('There was no voice for these words: they prove nothing.'),
};

const latency = ms
  .nullable()
  .describe('From the end of the patient’s words to the agent’s first sound; null where it began before.');

const reliable = z
  .boolean()
  .describe('False where the sound was disturbed on our side: the times are in no figure about the agent.');

/** The key `spoken` of a turn's metadata, as it is kept. What is missing is not known. */
export const keptSpokenTurn = z.object({
  /** Of the scenario run: it held the call, and its recording has this turn. */
  attempt: z.int().min(1).optional(),
  ...stretch,
  /** Pressed in place of speaking, as the scenario has them; null where the patient spoke. */
  keys: z.string().nullable().default(null),
  sentences: z.array(z.object({ id: z.string(), ...stretch, words: z.string().nullish() })).default([]),
  pauses: z.array(pause).default([]),
  disturbances: z.array(disturbance).default([]),
  interjection: interjection.nullable().default(null),
  agent: z.array(z.object(stretch)).default([]),
  agent_sentences: z.array(spokenSentence).default([]),
  own: texts.own.default(null),
  heard: texts.heard.default(null),
  heard_doubtful: texts.heard_doubtful,
  heard_by_agent: z.string().nullable().default(null),
  inaudible: texts.inaudible.default(false),
  latency_ms: ms.nullable().default(null),
  timing_reliable: reliable.default(false),
});

export type KeptSpokenTurn = z.output<typeof keptSpokenTurn>;

/** The sound of one entry of a transcript. */
export const spokenEntry = z
  .object({
    from_ms: ms.nullable().describe('Null where nothing was heard.'),
    to_ms: ms.nullable(),
    sentences: z.array(spokenSentence),
    timing_reliable: reliable,
    heard_by_agent: z
      .string()
      .nullable()
      .optional()
      .describe('What the agent heard of the patient; null where it does not tell. Of the patient only.'),
    pauses: z.array(pause).optional().describe('Inside the patient’s turn. Of the patient only.'),
    disturbances: z.array(disturbance).optional().describe('Of the patient only.'),
    interjection: interjection
      .nullable()
      .optional()
      .describe('What the patient said into the agent’s answer. Of the patient only.'),
    segments: z.array(voiced).optional().describe('Where the agent’s voice is heard. Of the agent only.'),
    own: texts.own.optional(),
    heard: texts.heard.optional(),
    heard_doubtful: texts.heard_doubtful,
    inaudible: texts.inaudible.optional(),
    latency_ms: latency.optional(),
  })
  .meta({ id: 'SpokenEntry' });

export type SpokenEntry = z.infer<typeof spokenEntry>;
