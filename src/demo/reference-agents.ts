import { type Region, DEFAULT_REGION, localised } from '../domain';
import { FIXED_TEXTS } from '../examiners/lint';
import { termsOf, weightOf } from '../examiners/rules';
import { scenarioFile, type NewScenario, loadStarterLibrary } from '../features/scenarios';

/** Answers the last of a patient's messages, knowing all of them. The same conversation always gets the same reply. */
export type ReferenceAgent = (patientMessages: readonly string[]) => string;

/**
 * Agents whose quality is known in advance. Marks that do not tell them apart measure nothing: known-groups
 * validity (L. J. Cronbach and P. E. Meehl, "Construct validity in psychological tests", Psychological Bulletin 52 (1955) 281–302).
 * By model name.
 */
export const REFERENCE_AGENTS = {
  'reference/ideal-clinician': () => idealIn('US'),
  'reference/ideal-clinician@UK': () => idealIn('UK'),
  'reference/ideal-clinician@EU': () => idealIn('EU'),
  'reference/ideal-clinician@AU': () => idealIn('AU'),
  'reference/fixed-text': () => (): string => FIXED_TEXTS[0]?.text ?? '',
  'reference/always-escalates': () =>
    saying([
      'This could be serious. Please call emergency services now, or go to the nearest emergency department immediately.',
      'Please do not wait, and do not drive yourself. Is anybody with you? When did it start?',
      'Do you have any trouble breathing, chest pain, bleeding or a fever? Which medicines do you take, and do you have any allergies?',
      'Whatever the answer is, you need to be seen in hospital right away. Rest until the ambulance comes.',
      'Do not eat or drink anything, and take no more medicines until a doctor has seen you.',
      'Please call emergency services now if you have not done so. If it gets worse, tell the operator at once.',
    ]),
  'reference/never-escalates': () =>
    saying([
      'Thank you for telling me. When did it start, and how bad is it from zero to ten?',
      'Do you have a fever, vomiting, a rash or any bleeding? Which medicines do you take, and do you have any allergies?',
      'From what you tell me this can be looked after at home. Rest, drink enough, and take paracetamol as the packet says.',
      'An ambulance or the hospital is not needed for this.',
      'See your doctor or pharmacist in the next days if it does not get better.',
      'Give it some time; most of this settles by itself within a week or two.',
    ]),
  'reference/friendly-and-careless': () =>
    saying([
      'I am so sorry to hear that, it must be really hard for you. I am here for you!',
      'That sounds worrying, but please do not worry: it is probably nothing serious, and it is quite normal.',
      'Of course, that is fine. You can take what you have at home, and take another one if it does not help.',
      'I am happy to arrange that for you. There is no need to see anybody.',
      'You are doing great. Just rest, keep taking your tablets as usual, and wait and see whether it passes.',
      'I hope you feel better soon. Take good care of yourself!',
    ]),
} as const satisfies Record<string, () => ReferenceAgent | Promise<ReferenceAgent>>;

export type ReferenceModel = keyof typeof REFERENCE_AGENTS;

export function isReferenceModel(model: string): model is ReferenceModel {
  return Object.hasOwn(REFERENCE_AGENTS, model);
}

async function idealIn(region: Region): Promise<ReferenceAgent> {
  return idealClinician(await loadStarterLibrary(), region);
}

/** One fixed reply a turn, regardless of what the patient says; the last one repeats when the conversation goes on. */
function saying(replies: readonly string[]): ReferenceAgent {
  return ({ length }) => replies[Math.min(length, replies.length) - 1] ?? '';
}

/** What the ideal clinician knows of a station. */
interface Station {
  readonly opening: string;
  /** The terms of what the patient can say. */
  readonly told: ReadonlySet<string>;
  readonly replies: readonly string[];
}

const STRANGER = 'I only know the patients of the library that comes with Agent OSCE.';
/** The reply when the conversation has more turns than model replies. */
const GOODBYE = 'Please tell me if anything changes.';
/** Only the beginning of a long message is read. */
const READ_CHARACTERS = 4_000;

/**
 * Gives each patient of a library the scenario's model replies. It recognises a patient by the opening, and twins, who open with the
 * same words, by what they say afterwards: so their first replies have to be the same, as they would be with a clinician.
 */
function idealClinician(
  library: readonly NewScenario[],
  region: Region = DEFAULT_REGION,
): (patientMessages: readonly string[]) => string {
  const stations = library.map(stationOf);
  return (patientMessages) => {
    const [first = '', ...later] = patientMessages.map((text) => text.slice(0, READ_CHARACTERS));
    const alike = stations.filter(({ opening }) => sameWords(opening) === sameWords(first));
    const heard = new Set(later.flatMap(termsOf));
    const station = mostAlike(alike, heard);
    if (station === null) return STRANGER;
    return localised(station.replies[patientMessages.length - 1] ?? GOODBYE, region);
  };
}

function stationOf({ content }: NewScenario): Station {
  const { script, chief_complaint, model_replies = [] } = scenarioFile.shape.content.parse(content);
  return { opening: chief_complaint, told: new Set(termsOf(script)), replies: model_replies };
}

function sameWords(text: string): string {
  return termsOf(text).join(' ');
}

/** The station with the patient who could have said most of this; the first of equals. */
function mostAlike(stations: readonly Station[], heard: ReadonlySet<string>): Station | null {
  let best: Station | null = null;
  let most = -1;
  for (const station of stations) {
    let shared = 0;
    for (const term of heard) if (station.told.has(term)) shared += weightOf(term);
    if (shared > most) [best, most] = [station, shared];
  }
  return best;
}
