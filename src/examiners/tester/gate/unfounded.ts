import { speaksEnglish } from '../../../domain';
import { medicinesIn } from '../../rules/named-medicines';
import { isNamedOrCounted, namedTimesIn, isAmong, quantitiesIn, type Quantity } from '../../rules/quantities';
import { readOnce } from '../../rules/read-once';
import { sentencesOf } from '../../rules/sentences';
import { termsOf, weightOf } from '../../rules/words';
import { scriptFactsOf, type Fact } from '../patient-script';
import { isTouched, type Heard } from '../topics';
import { agentTexts, demographicText, type GateFault, type GateRequest } from './gate-request';

const invented = (text: string): GateFault => ({ kind: 'invented', severity: 'hindered', text });

/** Emergency numbers that every patient knows; like the figures of speech below, they say nothing about the patient. */
const EMERGENCY = /^(?:911|999|112|111|988|000|116117)$/;
const ROUND_THE_CLOCK = /\b24\/7\b/g;
const CERTAINLY = /\b(?:100|a hundred|one hundred) ?(?:%|per ?cent)/gi;

/** What the message is compared with is the same in every turn, but for what was said since. */
const knownQuantities = readOnce(quantitiesIn);
const knownTimes = readOnce(namedTimesIn);
const knownMedicines = readOnce(medicinesIn);
const knownTerms = readOnce(termsOf);

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
  const known = knownTexts(request).flatMap(knownQuantities);
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
  const named = known.flatMap(knownTimes);
  const counted = known.flatMap(knownQuantities);
  return said.filter((time) => !isNamedOrCounted(time, named, counted)).map(({ text }) => invented(text));
}

/** Medicines that neither the card nor the agent names. */
export function unfoundedMedicines(request: GateRequest): GateFault[] {
  const said = medicinesIn(request.message);
  if (said.length === 0) return [];
  const known = new Set(knownTexts(request).flatMap((text) => knownMedicines(text).map(({ substance }) => substance)));
  return said.filter(({ substance }) => !known.has(substance)).map(({ text }) => invented(text));
}

/** The share of a fact's own words that a sentence has to contain to tell it. */
const TELLING_SHARE = 0.4;
const CONDITIONS =
  /^(?:asthma|diabet\w*|epileps\w*|hypertens\w*|cholesterol|copd|cancer|schizophren\w*|depress\w*|bipolar|anxiet\w*|ulcer|chlamydia|apnoea|stroke|heart_attack|anaemia|gout|arthrit\w*|thyroid|glaucoma|migrain\w*|eczema|psoriasi\w*|hepatit\w*|cirrhosi\w*|dementia|penicillin|suicide|laxativ\w*|cannabi\w*|alcohol|smoking|pregnancy)$/;

/** Facts that the script keeps back until asked for, told before the agent has touched on what they are about. */
export function untouchedFacts(request: GateRequest): GateFault[] {
  // Words are compared with words: in a language other than the script's they do not match, nor do questions and topics.
  if (!speaksEnglish(request.patient)) return [];
  const facts = scriptFactsOf(request.card.script);
  const held = facts.filter(({ onlyWhenAsked }) => onlyWhenAsked);
  if (held.length === 0) return [];
  const heard = heardBy(request);
  const untouched = held.filter((fact) => !isTouched(fact, heard));
  if (untouched.length === 0) return [];
  const open = openTerms(request, facts, untouched, heard);
  const told = sentencesOf(request.message).filter((sentence) => untouched.some((fact) => tells(sentence, fact, open)));
  return told.map((text): GateFault => ({ kind: 'volunteered', severity: 'helped', text }));
}

function heardBy(request: GateRequest): Heard {
  const texts = agentTexts(request);
  // Reply by reply: no phrase reaches from the end of one into the next.
  return { text: texts.join('\n'), terms: new Set(texts.flatMap(knownTerms)) };
}

/** Words that give nothing away: those of what the patient may tell or has told, and the agent's. */
function openTerms(
  { card, history }: GateRequest,
  facts: readonly Fact[],
  untouched: readonly Fact[],
  { terms }: Heard,
): ReadonlySet<string> {
  const free = facts.filter((fact) => !untouched.includes(fact));
  const said = history.map(({ patientMessage }) => patientMessage);
  const texts = [card.chief_complaint, card.initial_message, demographicText(card), ...said];
  return new Set([...terms, ...free.flatMap((fact) => [...fact.terms]), ...texts.flatMap(knownTerms)]);
}

function tells(sentence: string, fact: Fact, open: ReadonlySet<string>): boolean {
  const own = new Set([...fact.terms].filter((term) => !open.has(term)));
  const said = new Set(termsOf(sentence).filter((term) => own.has(term)));
  if (said.size === 0) return false;
  // "I think it is asthma", "I take warfarin": one such word tells it all.
  if ([...said].some((term) => CONDITIONS.test(term))) return true;
  if (medicinesIn(sentence).some(({ substance, text }) => own.has(termsOf(text)[0] ?? substance))) return true;
  const weight = (terms: ReadonlySet<string>): number => [...terms].reduce((sum, term) => sum + weightOf(term), 0);
  if (own.size === 1) return weight(said) >= 1;
  return said.size >= 2 && weight(said) >= TELLING_SHARE * weight(own);
}
