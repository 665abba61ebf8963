import { DEFAULT_REGION, localised, type Region } from '../domain/region';
import type { NewScenario } from '../features/scenarios/scenarios.store';
import { termsOf, weightOf } from '../examiners/rules/words';
import { scenarioFile } from '../features/scenarios/scenario-file';

/** What the ideal clinician knows of a station. */
interface Station {
  readonly opening: string;
  /** The terms of what the patient can say. */
  readonly told: ReadonlySet<string>;
  readonly replies: readonly string[];
}

const STRANGER = 'I only know the patients of the library that comes with Agent OSCE.';
/** Said when the conversation is longer than the model replies. */
const GOODBYE = 'Please tell me if anything changes.';
/** Only the beginning of a long message is read. */
const READ_CHARACTERS = 4_000;

/**
 * Says to each patient of a library what the scenario names as model replies. It knows a patient by the opening; of twins, who
 * open with the same words, by what they say afterwards: so their first replies have to be the same, as they would be with a clinician.
 */
export function idealClinician(
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

/** The station whose patient could have said most of this; the first of equals. */
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
