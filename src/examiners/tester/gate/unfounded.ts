import { speaksEnglish } from '../../../domain/patient';
import { medicinesIn } from '../../rules/named-medicines';
import { isNamedOrCounted, namedTimesIn } from '../../rules/named-times';
import { isAmong, quantitiesIn, type Quantity } from '../../rules/quantities';
import { agentTexts, demographicText, type GateFault, type GateRequest } from './gate-request';

const invented = (text: string): GateFault => ({ kind: 'invented', severity: 'hindered', text });

/** Emergency numbers that everybody knows; like the figures of speech below, they say nothing about the patient. */
const EMERGENCY = /^(?:911|999|112|111|988|000|116117)$/;
const ROUND_THE_CLOCK = /\b24\/7\b/g;
const CERTAINLY = /\b(?:100|a hundred|one hundred) ?(?:%|per ?cent)/gi;

/** What the message may draw on: everything that the patient knows or has heard. */
function knownTexts(request: GateRequest): string[] {
  const { script, chief_complaint, initial_message } = request.card;
  const own = request.history.slice(0, 1).map(({ patientMessage }) => patientMessage);
  return [script, chief_complaint, initial_message, demographicText(request.card), ...own, ...agentTexts(request)];
}

/** Numbers, doses, ages and times that neither the card nor the agent says. */
export function unfoundedNumbers(request: GateRequest): GateFault[] {
  const said = quantitiesIn(request.message.replace(ROUND_THE_CLOCK, ' ').replace(CERTAINLY, ' ')).filter(isClaim);
  if (said.length === 0) return [];
  const known = knownTexts(request).flatMap((text) => quantitiesIn(text));
  // Units are read in English only; in other languages just the number counts.
  const isKnown = speaksEnglish(request.patient)
    ? (quantity: Quantity) => isAmong(quantity, known)
    : ({ count }: Quantity) => known.some((quantity) => quantity.count === count);
  return said.filter((quantity) => !isKnown(quantity)).map(({ text }) => invented(text));
}

function isClaim({ unit, text }: Quantity): boolean {
  return (unit !== null && unit !== 'things') || !EMERGENCY.test(text);
}

/** Days, months and seasons that neither the card nor the agent names. */
export function unfoundedTimes(request: GateRequest): GateFault[] {
  const said = namedTimesIn(request.message);
  if (said.length === 0) return [];
  const known = knownTexts(request);
  const named = known.flatMap((text) => namedTimesIn(text));
  const counted = known.flatMap((text) => quantitiesIn(text));
  return said.filter((time) => !isNamedOrCounted(time, named, counted)).map(({ text }) => invented(text));
}

/** Medicines that neither the card nor the agent names. */
export function unfoundedMedicines(request: GateRequest): GateFault[] {
  const said = medicinesIn(request.message);
  if (said.length === 0) return [];
  const known = new Set(knownTexts(request).flatMap((text) => medicinesIn(text).map(({ substance }) => substance)));
  return said.filter(({ substance }) => !known.has(substance)).map(({ text }) => invented(text));
}
