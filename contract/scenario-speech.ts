import { z } from 'zod';
import { DISTURBANCES, SPEAKING_RATES } from '../src/domain';
import { filledText } from './field';

/** How the patient of a scenario speaks, and what is asked of an agent that it is spoken with: `content.speech` and `content.speech_limits`. */

/** How a patient speaks whatever it says. */
export const MANNERS = ['slow', 'breathless', 'weak'] as const;
export type Manner = (typeof MANNERS)[number];

const MOST_TURNS = 100;
const turns = (what: string) =>
  z.array(z.int().min(1).max(MOST_TURNS)).min(1).max(MOST_TURNS).optional().describe(`The turns ${what}, from 1.`);

const PRESS = 'it holds 1 to 32 of 0-9, *, #, A-D and w (a pause of half a second), and ends with a key';

const keypadEntry = z
  .strictObject({
    when: filledText(200).describe(
      'Words that the agent has said before the keys are pressed; “press one” is “press 1”.',
    ),
    press: z
      .string()
      .max(32, { error: PRESS })
      .regex(/^[0-9*#A-Dw]*[0-9*#A-D]$/, { error: PRESS })
      .describe('The keys: 0-9, *, #, A-D, and w for a pause of half a second.'),
  })
  .meta({ id: 'KeypadEntry' });

/** Keys that a patient presses once, in place of speaking, when the agent has said certain words. */
export type KeypadEntry = z.infer<typeof keypadEntry>;

export const scenarioSpeech = z
  .strictObject({
    manner: z
      .enum(MANNERS)
      .optional()
      .describe(
        '`slow`: at three quarters of the rate, with a second between sentences. `breathless`: stops for breath after every few words. `weak`: 10 dB quieter.',
      ),
    rate: z
      .number()
      .min(SPEAKING_RATES.least)
      .max(SPEAKING_RATES.most)
      .optional()
      .describe('Times the rate of the run; the product stays between 0.5 and 2.'),
    interruptions: turns('in which the patient asks the agent to wait, while it speaks'),
    backchannels: turns('in which the patient says “uh-huh” while the agent speaks'),
    pauses: turns('in which the patient stops for 0.5 to 3 s in the middle of a sentence'),
    coughs: turns('in which the patient coughs'),
    asides: turns('in which the patient speaks to somebody else first'),
    keypad: z
      .array(keypadEntry)
      .min(1)
      .max(10)
      .optional()
      .describe('Keys that the patient presses in place of speaking, each entry once, the first that fits.'),
  } satisfies Record<(typeof DISTURBANCES)[number] | 'manner' | 'rate' | 'keypad', z.ZodType>)
  .meta({ id: 'ScenarioSpeech' });

export type ScenarioSpeech = z.infer<typeof scenarioSpeech>;

const count = (what: string) => z.int().min(0).max(1_000).optional().describe(`At most so many ${what}.`);
const duration = (what: string) => z.number().positive().max(3_600_000).optional().describe(what);

export const speechLimits = z
  .strictObject({
    response_p95_ms: duration('From the end of the patient’s words to the agent’s first sound, in 95 % of the turns.'),
    premature_starts: count('turns into which the agent begins to speak'),
    yield_ms: duration('From the start of each interruption to the agent’s silence.'),
    false_yields: count('backchannels for which the agent stops in the middle of a sentence'),
    read_back: z
      .array(filledText(200))
      .min(1)
      .max(20)
      .optional()
      .describe(
        'Medicines, doses, times and allergens that the agent repeats rightly after the patient has said them.',
      ),
    unrecovered_entity_errors: count(
      'medicines, doses, times and allergens that the agent heard wrongly and never put right; measured of agents that tell what they heard',
    ),
    escalation_s: duration(
      'From the patient’s first sentence with one of `red_flags` to the sentence that earns the must-pass criterion tagged `escalation`.',
    ),
  })
  .meta({ id: 'SpeechLimits' });

export type SpeechLimits = z.infer<typeof speechLimits>;
export type SpeechLimit = keyof SpeechLimits;

/** What a scenario says about speech, as it was stored. */
export interface SpeechOfScenario {
  readonly speech: ScenarioSpeech;
  readonly limits: SpeechLimits;
}

/** Fields of `content`; the API keeps whatever stands there, so that they are read where they are used. A sentence where they cannot be. */
export function speechOfScenario(content: Readonly<Record<string, unknown>>): SpeechOfScenario | string {
  const speech = scenarioSpeech.safeParse(content['speech'] ?? {});
  if (!speech.success) return faultIn('content.speech', speech.error);
  const limits = speechLimits.safeParse(content['speech_limits'] ?? {});
  return limits.success ? { speech: speech.data, limits: limits.data } : faultIn('content.speech_limits', limits.error);
}

function faultIn(field: string, { issues: [first] }: z.ZodError): string {
  const path = [field, ...(first?.path ?? [])].join('.');
  if (first?.code === 'unrecognized_keys') {
    const inside = field === 'content.speech' ? scenarioSpeech : speechLimits;
    const known = Object.keys((first.path[0] === 'keypad' ? keypadEntry : inside).shape);
    return `${path} has no field ${first.keys[0]?.slice(0, 100) ?? ''}: there are ${known.join(', ')}.`;
  }
  return `${path} cannot be read: ${first?.message ?? 'it is refused'}.`;
}

/** Words or phrases in which the author sees the red flag. */
export const redFlags = z.array(filledText(200)).min(1).max(50);

/** The same of a stored scenario, which keeps whatever stands there; none where it names none. */
export function redFlagsIn(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((flag): flag is string => typeof flag === 'string') : [];
}
