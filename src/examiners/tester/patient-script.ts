import { sentencesOf } from '../rules/sentences';
import { capitalized, firstPerson } from './patient-speech';
import { termsOf } from '../rules/words';
import type { RoleCard } from './role-card';

/** Something the patient knows, in the patient's own words. */
export interface Fact {
  readonly speech: string;
  /** The terms of its words. */
  readonly terms: ReadonlySet<string>;
  /** The terms of questions it answers: its own and what it implies. */
  readonly answers: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Told when asked for, never volunteered: everything from the first "If asked" on. */
  readonly onlyWhenAsked: boolean;
  /** What has to be asked about, as the script names it: "other medicines"; empty when it names nothing. */
  readonly about: string;
}

/** The parts of a role card that contain the facts. */
export type FactSource = Pick<RoleCard, 'script' | 'demographics'>;

/** More facts than a conversation of seven turns can hold; any beyond these are not played. */
const MAX_FACTS = 400;
const MAX_SCRIPT_CHARACTERS = 60_000;

const LIST_MARK = /^(?:[-*•–—]|\d{1,2}[.)])\s+/;
const HEADING = /^#{1,6}\s|^[\p{L} ]{1,40}:$/u;
/** Directions to the actor, not facts: "Do not mention …", "Stay calm.", "You are playing …". */
const DIRECTION =
  /^(?:(?:do not|don't|don’t|never) (?:mention|reveal|tell|volunteer|disclose|say|offer|bring up|give)|(?:act|behave|speak|respond|answer|reply|play|pretend|stay|remain|sound|begin|open|start) )|\b(?:play|playing|acting as|role of|pretend to be|stay in character)\b/i;
const WHEN_ASKED =
  /^(?:only )?(?:if|when) (?:you are |you're )?(?:directly |specifically )?asked(?: (?:about|for|whether|if) ([^,:]{1,80}))?[,:]\s*(?:(?:you )?(?:say|tell|admit|reveal|mention|disclose|answer|explain|state)s?\s+(?:them |her |him )?(?:that )?)?/i;
const ASKED_AFTERWARDS =
  /\s?[(,]?\s?\(?(?:but )?only (?:if|when) (?:you are )?(?:directly |specifically )?asked\)?\.?$/i;

const remembered = new Map<string, readonly Fact[]>();
const MAX_REMEMBERED = 100;

/**
 * The facts of a script in order, one per sentence or line, without directions to the actor, and then those of the demographics. What
 * comes before the first "If asked" is volunteered; from there on a sentence that names no topic belongs to the topic before it.
 */
export function factsOf({ script, demographics }: FactSource): readonly Fact[] {
  return [...scriptFactsOf(script), ...demographicFacts({ script, demographics })];
}

/** The facts of the script alone. */
export function scriptFactsOf(script: string): readonly Fact[] {
  const known = remembered.get(script);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const facts = readFacts(script);
  remembered.set(script, facts);
  return facts;
}

function readFacts(script: string): Fact[] {
  const facts: Fact[] = [];
  let topic: string | null = null;
  for (const sentence of sentencesOf(script.slice(0, MAX_SCRIPT_CHARACTERS))) {
    const text = sentence.replace(LIST_MARK, '');
    const asked = WHEN_ASKED.exec(text);
    if (asked === null && HEADING.test(text)) continue;
    if (asked !== null) topic = asked[1] ?? '';
    const fact = factOf(text.slice(asked?.[0].length ?? 0), topic, asked === null);
    if (fact !== null) facts.push(fact);
    if (facts.length >= MAX_FACTS) break;
  }
  return facts;
}

/** @param topic what has to be asked about; null before the first "If asked" */
function factOf(sentence: string, topic: string | null, mayDirect: boolean): Fact | null {
  const text = sentence.replace(ASKED_AFTERWARDS, '').trim();
  if (text === '' || (mayDirect && DIRECTION.test(text))) return null;
  const speech = firstPerson(capitalized(text));
  const terms = termsOf(text);
  return {
    speech: /[.!?…"”')]$/.test(speech) ? speech : `${speech}.`,
    terms: new Set(terms),
    answers: new Set([...terms, ...termsOf(topic ?? ''), ...implied(text)]),
    isNegated: saysNo(text),
    onlyWhenAsked: topic !== null || ASKED_AFTERWARDS.test(sentence),
    about: topic ?? '',
  };
}

/** Whether a sentence denies something; "I have no fever" never counts as told by "I have a fever". */
export function saysNo(text: string): boolean {
  return /\b(?:no|not|never|none|nothing|without|cannot)\b|n['’]t\b/i.test(text);
}

/** What a fact answers without naming it: "You take bisoprolol" answers a question about medication. */
const IMPLIED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:take|takes|taking|took|prescribed|inject|injects|inhaler|insulin)\b/i, 'medication'],
  [
    /\b(?:ago|since|yesterday|today|tonight|this (?:morning|afternoon|evening)|last night)\b|\bfor (?:\w+ ){1,3}(?:minutes?|hours?|days?|weeks?|months?|years?)\b/i,
    'onset',
  ],
  [/\bout of (?:10|ten)\b|\b(?:mild|moderate|unbearable|crushing|agony)\b/i, 'severity'],
  [
    /\b(?:diabet\w*|asthma|copd|hypertension|blood pressure|epilepsy|heart (?:disease|failure)|atrial fibrillation|kidney|cancer|depression|thyroid|surgery|operation|stroke)\b/i,
    'history',
  ],
];

function implied(text: string): string[] {
  return IMPLIED.flatMap(([cue, term]) => (cue.test(text) ? [term] : []));
}

function demographicFacts({ script, demographics }: FactSource): Fact[] {
  const { age, gender, speaker } = demographics;
  const noun = typeof gender === 'string' ? GENDER_NOUNS.get(gender.toLowerCase()) : undefined;
  const years = typeof age === 'number' && age >= 0 && age < 130 ? age : null;
  const isChild = years !== null && years < SPEAKS_FOR_HIMSELF;
  const isSpokenFor = isChild || namesAnother(speaker) || isAboutAnother(script, noun);
  const other = PRONOUNS.get(noun ?? '')?.subject ?? (isChild ? 'The child is' : 'They are');
  const subject = isSpokenFor ? other : 'I am';
  const old = ageOf(demographics, years);
  return [
    ...(old !== null && !STATES_AGE.test(script) ? [particular(`${subject} ${old} old.`, 'age old years')] : []),
    ...(noun === undefined ? [] : [particular(`${subject} ${noun}.`, 'gender sex male female')]),
  ];
}

/** "8 weeks" where the scenario says so of a baby: "0 years" is no answer of a parent. */
function ageOf({ age_in_weeks: weeks, age_in_months: months }: FactSource['demographics'], years: number | null) {
  if (typeof weeks === 'number' && weeks >= 0 && weeks < 200) return `${weeks} weeks`;
  if (typeof months === 'number' && months >= 0 && months < 50) return `${months} months`;
  return years === null ? null : `${years} years`;
}

/** `demographics.speaker`: mother, husband, neighbour; left out where patients speak for themselves. */
function namesAnother(speaker: unknown): boolean {
  return (
    typeof speaker === 'string' && !/^\s*(?:(?:the )?patient|self|(?:him|her|them)sel(?:f|ves))?\s*$/i.test(speaker)
  );
}

const STATES_AGE = /\b(?:year|month|week|day)s?[- ]old\b/i;
const PRONOUNS = new Map([
  ['male', { subject: 'He is', sentence: /^(?:He|His)\b/gm }],
  ['female', { subject: 'She is', sentence: /^(?:She|Her)\b/gm }],
]);
/** Below this age another person calls for the patient. */
const SPEAKS_FOR_HIMSELF = 10;
const SENTENCES_ABOUT_ANOTHER = 3;

/** Where no speaker is named the script shows that another person calls: it refers to the patient as "she" or "he". */
function isAboutAnother(script: string, noun: string | undefined): boolean {
  const pronoun = PRONOUNS.get(noun ?? '');
  if (pronoun === undefined) return false;
  const lines = script.slice(0, MAX_SCRIPT_CHARACTERS).replaceAll('. ', '.\n');
  return (lines.match(pronoun.sentence)?.length ?? 0) >= SENTENCES_ABOUT_ANOTHER;
}

function particular(speech: string, questions: string): Fact {
  const terms = new Set(termsOf(questions));
  return { speech, terms, answers: terms, isNegated: false, onlyWhenAsked: true, about: questions };
}

const GENDER_NOUNS = new Map([
  ['male', 'male'],
  ['man', 'male'],
  ['boy', 'male'],
  ['female', 'female'],
  ['woman', 'female'],
  ['girl', 'female'],
  ['non-binary', 'non-binary'],
  ['nonbinary', 'non-binary'],
]);
