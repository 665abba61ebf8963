import { z } from 'zod';
import {
  DISTURBANCES,
  LARGEST_SEED,
  LINES,
  MODALITIES,
  NOISE_KINDS,
  NOISE_SNR_DB,
  readNoise,
  SPEAKING_RATES,
} from '../src/domain';
import { filledText, open } from './field';

export const modality = z.enum(MODALITIES).describe('Whether its conversations are written or spoken.');

const noise = z
  .string()
  .max(40)
  .refine((text) => readNoise(text) !== null, {
    error: `must be ${NOISE_KINDS.join(', ')} with the patient's level above it in dB, ${NOISE_SNR_DB.least} to ${NOISE_SNR_DB.most}, such as babble:10`,
  });

const sounds = z
  .array(z.enum(DISTURBANCES))
  .max(DISTURBANCES.length)
  .refine((named) => new Set(named).size === named.length, { error: 'must name each once' });

/** How the patient of a spoken run is to sound; what is left out has its default. */
const choiceShape = {
  voice: filledText(100).describe('As the speech server or espeak-ng calls it: alloy, or en-us+f3.'),
  rate: z
    .number()
    .min(SPEAKING_RATES.least)
    .max(SPEAKING_RATES.most)
    .describe('A multiple of the usual rate of the voice; default 1.'),
  line: z
    .enum(LINES)
    .describe(
      'What lies between patient and agent; default wideband. phone: 300 to 3400 Hz, G.711; mobile_bad: the same with lost packets.',
    ),
  noise: noise.describe(
    'What is heard behind the patient, and how much louder the patient is in dB: babble:10, pink:15 or hum:20.',
  ),
  sounds: sounds.describe('What disturbs the conversation; each happens in a third of the turns. Default none.'),
  seed: z
    .int()
    .min(0)
    .max(LARGEST_SEED)
    .describe('Determines what disturbs which turn; default random. The same seed sounds the same with espeak-ng.'),
};

/** Left open by a client, with the same description. */
const opened = <Schema extends z.ZodType>(schema: Schema) => open(schema).describe(schema.description ?? '');

/** As a request has it. */
export const spokenChoice = z
  .strictObject({
    voice: opened(choiceShape.voice),
    rate: opened(choiceShape.rate),
    line: opened(choiceShape.line),
    noise: opened(choiceShape.noise),
    sounds: opened(choiceShape.sounds),
    seed: opened(choiceShape.seed),
  })
  .meta({ id: 'SpokenChoice', examples: [{ line: 'phone', noise: 'babble:10', sounds: ['pauses'], seed: 7 }] });

export type SpokenChoice = z.output<typeof spokenChoice>;

/** As a schedule keeps and shows it. */
export const spokenChoiceView = z.object(choiceShape).partial().meta({ id: 'SpokenChoiceView' });

/** As a run has it. */
export const spokenView = z
  .object({
    voice: z.string().nullable().describe('As it was asked for; null: the one that was set up.'),
    rate: choiceShape.rate,
    line: choiceShape.line,
    noise: z.string().nullable(),
    sounds: z.array(z.enum(DISTURBANCES)),
    seed: choiceShape.seed,
    ear: z
      .object({ engine: z.string(), model: z.string() })
      .nullable()
      .describe('Who hears the agent; null: its own account counts, checked against its sound.'),
    voice_engine: z
      .object({ engine: z.string(), version: z.string(), voice: z.string(), rate: z.number() })
      .describe('`espeak-ng` or the host of a speech server, its version or model, and the voice.'),
    timing_error_ms: z
      .number()
      .nullable()
      .describe(
        'The error of its times at the 95th percentile, as osce speech calibrate measured it; null when it is not known.',
      ),
    harness_version: z.string().describe('The release that made the run.'),
  })
  .meta({ id: 'SpokenRun' });

export type SpokenView = z.output<typeof spokenView>;
