import { plainText } from '../rules/plain-text';
import { withoutEnd } from '../rules/sentences';
import { wordsOf } from '../rules/words';
import { speaksOfMarks } from './addressed-to-examiner';
import type { Mark, NumberedSentence } from './marking-request';
import type { SeededRandom } from './seeded-random';

/** A question whose answer follows from this conversation by construction, made to look like a criterion. */
export interface ControlQuestion {
  readonly criterion: string;
  readonly answer: 'MET' | 'NOT MET';
  /** The id of the sentence, or the act, that it is made from. */
  readonly source: string;
}

const FEWEST_WORDS = 3;
const MOST_WORDS = 16;
const PLAIN = /^[\p{L}\p{N}\s'’.,!?;:%°/()-]+$/u;

/**
 * One control question that is true of these sentences, and one that is false.
 * @param used sources of earlier questions; reused only where there is no other
 */
export function controlQuestions(
  sentences: readonly NumberedSentence[],
  random: SeededRandom,
  used: ReadonlySet<string>,
): ControlQuestion[] {
  const said = new Set(sentences.flatMap((sentence) => readingOf(sentence).words));
  // If fewer than two acts have no word in the conversation, all are used: each act as a whole is still unlikely.
  const unsaid = UNLIKELY_ACTS.filter(({ words }) => !words.some((word) => said.has(word)));
  const acts = random.shuffled(unsaid.length > 1 ? unsaid : UNLIKELY_ACTS).map(({ criterion }) => criterion);
  const [untrue = '', alsoUntrue = ''] = unusedFirst(acts, (act) => used.has(act));
  const [source] = unusedFirst(
    random.shuffled(sentences.filter((sentence) => readingOf(sentence).isSource)),
    ({ id }) => used.has(id),
  );
  const truth = source === undefined ? `Does not do the following: ${lowered(alsoUntrue)}` : claimOf(source, random);
  return [
    { criterion: truth, answer: 'MET', source: source?.id ?? alsoUntrue },
    { criterion: untrue, answer: 'NOT MET', source: untrue },
  ];
}

function unusedFirst<Source>(sources: readonly Source[], isUsed: (source: Source) => boolean): Source[] {
  return [...sources.filter((source) => !isUsed(source)), ...sources.filter(isUsed)];
}

/** Whether a judge answered a control question correctly. */
export function isRight({ answer }: ControlQuestion, { decision }: Mark): boolean {
  return decision === answer;
}

/** What control questions need to know of a sentence. */
interface ReadSentence {
  readonly words: readonly string[];
  /** Whether it is a sentence of the agent that is plain enough to be asked about. */
  readonly isSource: boolean;
}

/** An examination asks several times, each time with questions about the same sentences. */
const readings = new WeakMap<NumberedSentence, ReadSentence>();

function readingOf(sentence: NumberedSentence): ReadSentence {
  const known = readings.get(sentence);
  if (known !== undefined) return known;
  const plain = plainText(sentence.text);
  const words = wordsOf(plain);
  const reading = { words, isSource: isSource(sentence, plain, words.length) };
  readings.set(sentence, reading);
  return reading;
}

function isSource({ speaker, text, toExaminer }: NumberedSentence, plain: string, words: number): boolean {
  if (speaker !== 'agent' || toExaminer || text.length > 200) return false;
  return words >= FEWEST_WORDS && words <= MOST_WORDS && PLAIN.test(plain) && !speaksOfMarks(plain);
}

const IMPERATIVE =
  /^(?:please )?(call|dial|go|take|sit|lie|keep|stop|rest|drink|use|stay|put|press|leave|give|get|ask|tell|contact|see|avoid|check|bring|apply|wash|eat|try|make|write|come|speak|let|ring|phone|book|pause)\b/i;
/** "Rest is important" begins like an imperative but is not one. */
const AUXILIARY =
  /\b(?:is|are|was|were|be|been|will|would|can|could|may|might|must|should|shall|has|have|had|do|does|did)\b|['’](?:s|re|ll|ve|d)\b/i;
const QUESTION = /[?？]["'”’)\s]*$/;

/** The sentence, restated as a rubric would word it. */
function claimOf({ text }: NumberedSentence, random: SeededRandom): string {
  const plain = plainText(text);
  const bare = withoutEnd(plain, '.!?？ ');
  if (QUESTION.test(plain)) return random.integer(2) === 0 ? `Asks: ${lowered(bare)}` : `Asks the patient: “${bare}?”`;
  if (IMPERATIVE.test(bare) && !AUXILIARY.test(bare) && !/\byou\b|\byour\b|\bi\b|\bme\b/i.test(bare)) {
    return `Tells the patient to ${lowered(bare.replace(/^please /i, ''))}`;
  }
  return random.integer(2) === 0 ? `Says: ${lowered(bare)}` : `Tells the patient: “${bare}”`;
}

function lowered(sentence: string): string {
  return /^(?:I\b|[A-Z]{2})/.test(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/**
 * Acts that do not occur in these conversations unless the case calls for them, worded as a rubric would. Nothing is listed that an
 * ordinary consultation implies in other words (a hearing test, a stool sample): a careful judge would rightly find it.
 */
interface UnlikelyAct {
  readonly criterion: string;
  /** The criterion is used only where none of these words occurs in the conversation. */
  readonly words: readonly string[];
}

const ACTS = `
Asks whether the patient keeps pigeons or parrots: pigeon, pigeons, parrot, parrots, bird, birds, pet, pets, animal, animals
Asks about scuba diving in the last week: scuba, diving, dive, dived
Advises a yellow fever vaccination: yellow, vaccination, vaccine, vaccinated
Asks about a recent tattoo: tattoo, tattoos, tattooed, piercing, piercings
Asks about contact with asbestos at work: asbestos, dust, fumes, chemicals
Mentions a tetanus booster: tetanus, booster, vaccine, vaccines, vaccination, vaccinations, jab, jabs
Asks about swimming in a lake abroad: swimming, swim, lake, abroad, travel, travelled, traveled, travelling, traveling
Asks whether the patient was bitten by a snake: snake, snakes, bite, bites, bitten, animal, insect
Advises malaria tablets for a journey: malaria, journey, travel
Asks about playing a wind instrument: instrument, trumpet, flute
Recommends a hip replacement: hip, replacement
Asks about raw oysters in the last days: oyster, oysters, shellfish, seafood, fish, eat, eaten, ate, food
Asks whether the patient has been camping near ticks: tick, ticks, camping, insect, insects, bite, bites, bitten, outdoors
Tells the patient to have a wisdom tooth removed: wisdom, tooth, teeth
Asks about a family history of gout: gout, arthritis, joint, joints
Recommends acupuncture for the neck: acupuncture, needles
Explains how to use a nasal spray: nasal, nose, spray
Asks whether the patient works with lead paint: paint, paints, lead
Advises buying orthopaedic insoles: insole, insoles, shoes, footwear, feet, foot
Tells the patient to shave the skin before a plaster: shave, shaving, plaster
Asks whether the patient is left-handed: handed, left, hand, hands, dominant
Recommends a course of laser treatment for the skin: laser
`;

export const UNLIKELY_ACTS: readonly UnlikelyAct[] = ACTS.trim()
  .split('\n')
  .map((line) => {
    const [criterion = '', words = ''] = line.split(': ');
    return { criterion, words: words.split(', ') };
  });
