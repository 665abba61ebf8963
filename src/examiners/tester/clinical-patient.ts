import { agreeingWithYou } from './patient-speech';
import { withoutEnd } from '../rules/sentences';
import type { ScenarioContent } from '../../domain';

const MAX_FACTS = 14;
/** Ages assumed when a text states none, by the kind of patient it mentions; otherwise one that is neither young nor old. */
const ASSUMED_AGES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:infants?|newborns?|baby|babies)\b/i, 0],
  [/\btoddlers?\b/i, 2],
  [/\b(?:child|children|boy|girl)\b/i, 8],
  [/\b(?:teenagers?|adolescents?)\b/i, 15],
  [/\bpregnan/i, 30],
  [/\b(?:elderly|older (?:adults?|people|patients?))\b/i, 75],
];
const ASSUMED_AGE = 45;

const AGE =
  /(\b(?:under|over|below|above|than|least|from|to) )?\b(?:aged )?(\d{1,3})[- ]?(?:year|yr)s?[- ]old\b|\baged (\d{1,3})\b|\b(\d{1,3}) ?y\/?o\b/gi;
const INFANT_AGE = /\b(\d{1,3})[- ](?:month|week|day)s?[- ]old\b/i;
const FEMALE = /\b(?:woman|female|girl|lady|mother|pregnant|pregnancy|she|her)\b/i;
const MALE = /\b(?:man|male|boy|gentleman|father|he|his|him)\b/i;

/** What the text says about a patient; what it leaves open is assumed and listed as such. */
export function contentFrom(text: string, facts: readonly string[], topic: string | null): ScenarioContent {
  const assumed: string[] = [];
  const age = ageIn(text) ?? note(assumed, 'age', assumedAge(text));
  const gender = genderIn(text) ?? note(assumed, 'gender', 'unspecified');
  const stated = complaintIn(text);
  const complaint =
    stated ??
    note(
      assumed,
      'chief_complaint',
      topic === null ? 'Hello, I would like some medical advice, please.' : `I would like some help with ${topic}.`,
    );
  const told = facts.flatMap((sentence) => secondPerson(sentence) ?? []);
  const known = (told.length === 0 && /\bpregnan/i.test(text) ? ['You are pregnant.'] : told).slice(0, MAX_FACTS);
  const script = known.length > 0 ? known : [note(assumed, 'script', openingFact(stated, topic))];
  return { script: script.join('\n'), demographics: { age, gender }, chief_complaint: complaint, assumed };
}

function note<Value>(assumed: string[], field: string, value: Value): Value {
  assumed.push(field);
  return value;
}

function assumedAge(text: string): number {
  return ASSUMED_AGES.find(([sign]) => sign.test(text))?.[1] ?? ASSUMED_AGE;
}

function openingFact(complaint: string | null, topic: string | null): string {
  if (complaint !== null)
    return complaint
      .replace(/^I\b/, 'You')
      .replaceAll(/\bmy\b/g, 'your')
      .replace(/\bam\b/, 'are');
  return topic === null ? 'You would like some medical advice.' : `You would like some help with ${topic}.`;
}

function ageIn(text: string): number | null {
  if (INFANT_AGE.test(text)) return 0;
  for (const [, bound, years, aged, short] of text.matchAll(AGE)) {
    const age = Number(years ?? aged ?? short);
    if (bound === undefined && age < 130) return age;
  }
  return null;
}

/** The gender that is named first. */
function genderIn(text: string): string | null {
  const female = FEMALE.exec(text)?.index ?? Infinity;
  const male = MALE.exec(text)?.index ?? Infinity;
  if (female < male) return 'female';
  return male < female ? 'male' : null;
}

const SPOKEN = /\b(?:says?|said|states?|tells? you|reports?)(?: that)?[,:]?\s+["“]([^"”]{3,200})["”]/i;
const PRESENTING =
  /\b(?:present(?:s|ing)? with|complain(?:s|ing)? of|report(?:s|ing)?|experienc(?:es|ing)|suffer(?:s|ing)? from|call(?:s|ing)? about|describ(?:es|ing)|mention(?:s|ing)?|who (?:has|have)|(?:patient|caller|person|people|adult|child|children|woman|women|man|men|anyone|someone|infant|user)s? (?:(?:over|under|above|aged|older than) [\w -]{1,25} )?(?:with|has|have)|suspected|suspicion of)\s+([^.,;:()"]{3,100})/i;
const COMPLAINT_END =
  /\s+(?:must|should|shall|will|needs?|is|are|was|who|which|that|may|can|call|ask|and (?:the|he|she|is|has|takes)|before|unless)\b.*$/i;

/** A parent speaks for the youngest patients; the group holds those that are no child yet. */
const YOUNG = /\b(?:(infant|newborn|baby|babies|toddler)|child|children|boy|girl)s?\b/i;

function complaintIn(text: string): string | null {
  const [, quoted] = SPOKEN.exec(text) ?? [];
  const spoken = quoted?.trim();
  if (spoken !== undefined) return /[.!?]$/.test(spoken) ? spoken : `${spoken}.`;
  const [, presented] = PRESENTING.exec(text) ?? [];
  const found = presented?.replace(COMPLAINT_END, '').trim();
  if (found === undefined || found.length < 3) return null;
  const own = found.replaceAll(/\b(?:his|her|their|your)\b/gi, 'my');
  const young = YOUNG.exec(text);
  if (young !== null) return `My ${young[1] === undefined ? 'child' : 'baby'} has ${found}.`;
  return /^(?:feeling|seeing|hearing|losing|struggling|having|being)\b/i.test(own) ? `I am ${own}.` : `I have ${own}.`;
}

const PERSON =
  /^(?:an?|the|this) (?:[\w-]+ ){0,5}?(man|woman|boy|girl|lady|gentleman|patient|caller|person|infant|child|adult|teenager)(?:,? aged \d{1,3})?(?:,? (?:who|and))?,? (?!aged \d)(\w+(?:['’]t)?)\b(.*)$/i;
const PRONOUN = /^(?:he|she|they) (\w+(?:['’]t)?)\b(.*)$/i;
const POSSESSIVE = /^(?:his|her|their) (.*)$/i;

/** A sentence about the patient as a fact of a script ("You take warfarin."); null for any other sentence. */
function secondPerson(sentence: string): string | null {
  const person = PERSON.exec(sentence);
  const pronoun = PRONOUN.exec(sentence);
  const possessive = POSSESSIVE.exec(sentence);
  if (person !== null) return `You ${verbFor(person[2] ?? '', person[3] ?? '')}`;
  if (pronoun !== null) return `You ${verbFor(pronoun[1] ?? '', pronoun[2] ?? '')}`;
  return possessive === null ? null : `Your ${aboutYou(possessive[1] ?? '')}`;
}

const PRESENTS = /^(?:present|complain)(?:s|ed|ing)?$/i;
const SYMPTOM = /^\s+(?:with|of)\s+(.*)/;
/** "Taking", but not "bring". */
const PARTICIPLE = /^[^aeiouy]*[aeiouy]\w*ing$/i;

/** A record says "presents with" or "complains of"; a patient says "have". What a patient is "taking" has no verb in records. */
function verbFor(verb: string, rest: string): string {
  const [, symptom] = SYMPTOM.exec(rest) ?? [];
  if (symptom !== undefined && PRESENTS.test(verb)) return `have ${aboutYou(symptom)}`;
  if (verb.toLowerCase() === 'with') return `have${aboutYou(rest)}`;
  if (PARTICIPLE.test(verb)) return `are ${verb.toLowerCase()}${aboutYou(rest)}`;
  return `${agreeingWithYou(verb)}${aboutYou(rest)}`;
}

function aboutYou(text: string): string {
  return text
    .replaceAll(/\b(?:his|her|their)\b/gi, 'your')
    .replaceAll(/\b(?:he|she) (\w+)/gi, (_match, verb: string) => `you ${agreeingWithYou(verb)}`)
    .replaceAll(/\bhim\b/gi, 'you');
}

const FURNITURE =
  /\b(?:protocols?|guidelines?|procedures?|polic(?:y|ies)|sections?|chapters?|cases?|scenarios?|appendix|pathways?|standard operating|management of|assessment of|treatment of|approach to)\b/gi;

/** What a heading is about, in lower case: "Section 3: Chest pain protocol" is about "chest pain". */
export function topicOf(heading: string): string | null {
  const words = heading
    .replaceAll(/[*_`#"]/g, '')
    .replaceAll(FURNITURE, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s\d.:)–—-]+/, '');
  const topic = withoutEnd(words, ' :–—-');
  if (topic.length < 3) return null;
  return /[a-z]/.test(topic) && /^\p{Lu}{2}/u.test(topic) ? topic : topic.toLowerCase();
}
