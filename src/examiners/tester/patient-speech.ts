/**
 * Turns a fact of a script ("You take warfarin.", "The patient takes warfarin.") into what a patient says ("I take warfarin.").
 * Only pronouns and the verbs that agree with them change, so the meaning stays the same. A question to the one spoken to
 * ("How are you?") stays one; a question about what the patient is or should do ("Are you dying?") becomes the patient's own.
 */
export function firstPerson(fact: string): string {
  const speech = fact.replace(THE_PATIENT, asSecondPerson);
  const written = speech.split(/(?<=\s)/);
  const words = [...written];
  let subject = '';
  for (let at = 0; at < words.length; at += 1) {
    const { core, before, after } = partsOf(words[at] ?? '');
    const lower = plainLower(core);
    const previous = lastWord(words, at);
    const next = partsOf(words[at + 1] ?? '').core.toLowerCase();
    let spoken = core;
    if (lower === 'you') {
      spoken = spokenYou(written, at, subject) ?? core;
      if (spoken === 'I') subject = 'I';
    } else if (subject === 'I' && AGREEING.has(lower) && (previous === 'i' || JOINING.has(previous))) {
      spoken = AGREEING.get(lower) ?? core;
    } else if (AGREEING.has(lower) && next === 'you') {
      const isOfPatient = spokenYou(written, at + 1, subject) !== null;
      if (isOfPatient) spoken = AGREEING_BEFORE_I.get(lower) ?? core;
    } else {
      spoken = FORMS.get(lower) ?? core;
      if (spoken.startsWith("I'")) subject = 'I';
    }
    words[at] = `${before}${at === 0 && spoken !== core ? capitalized(spoken) : spoken}${after}`;
  }
  return words
    .join('')
    .replace(/\bI and my ([\p{L}-]+)/gu, 'my $1 and I')
    .replace(/^[a-z]/, capitalized);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const LOWERABLE = /^(?:A|An|The|This|That|These|There|It|My|No|Not|Nothing|He|She|They|We|When|After|Since|In|On)\b/;

/** With a lower-case start when the first word is certainly not a name. */
export function lowered(text: string): string {
  return LOWERABLE.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const FORMS = new Map([
  ['your', 'my'],
  ['yours', 'mine'],
  ['yourself', 'myself'],
  ["you're", "I'm"],
  ["you've", "I've"],
  ["you'd", "I'd"],
  ["you'll", "I'll"],
]);

const AGREEING = new Map([
  ['are', 'am'],
  ['were', 'was'],
  ["aren't", 'am not'],
  ["weren't", "wasn't"],
]);

/** In a question: "Am not I ill?" is not English, "Aren't I ill?" is. */
const AGREEING_BEFORE_I = new Map([...AGREEING, ["aren't", "aren't"]]);

/** Between a subject and a later verb of the same sentence: "You smoke and are overweight." */
const JOINING = new Set(['and', 'but', 'or', 'also', 'now', 'still', 'often', 'sometimes', 'usually', 'then']);

const AUXILIARIES = new Set(
  `are were have had do did can could will would should may might must am aren't weren't haven't hadn't don't didn't can't
   cannot couldn't won't wouldn't shouldn't never always also often sometimes usually rarely still only just already`.split(
    /\s+/,
  ),
);

/** "you" after one of these is an object: "It makes you dizzy", "for you". */
const BEFORE_OBJECTS = new Set(
  `to for with of at from by on about around behind near beside between against without towards upon over under than like
   make makes made making let lets give gives gave giving tell tells told telling ask asks asked see sees saw seen help helps
   helped keep keeps kept leave leaves left bring brings brought drive drives drove take takes took wake wakes woke wakened
   stop stops stopped worry worries worried scare scares scared hurt hurts bother bothers bothered hit hits bit stung call
   calls called visit visits visited know knows knew send sends sent put puts treat treats treated love loves`.split(
    /\s+/,
  ),
);

/** Of these also before a verb, which is then that of what was given: "The pills they gave you have run out." */
const GIVING = new Set('give gives gave giving bring brings brought send sends sent'.split(' '));

const AFTER_OBJECTS = new Set(
  'on in at to for from with by yesterday today tonight again about around into off out'.split(' '),
);

/** With "you" behind one of these at the start of a clause, or after "so", the patient is who does it: "so do you", "don't you?" */
const INVERTED = new Set(
  `do did can could will would should must have had don't didn't can't couldn't won't wouldn't shouldn't mustn't haven't
   hadn't`.split(/\s+/),
);
const BEFORE_INVERTED = new Set(['so', 'nor', 'neither', 'as', 'than']);
/** "How are you feeling?" */
const IN_GREETINGS = new Set(['today', 'now', 'feeling', 'doing', 'keeping']);

/** How a patient says the "you" at a place; null where the one spoken to is meant. */
function spokenYou(written: readonly string[], at: number, subject: string): 'I' | 'me' | null {
  const { before, after } = partsOf(written[at] ?? '');
  const next = partsOf(written[at + 1] ?? '');
  const verb = plainLower(lastWord(written, at));
  const beforeVerb = lastWord(written, at - 1);
  const isInverted =
    AGREEING.has(verb) || (INVERTED.has(verb) && (beforeVerb === '' || BEFORE_INVERTED.has(beforeVerb)));
  if (!isInverted) return isSubjectHere(lastWord(written, at), next.core.toLowerCase(), before + after) ? 'I' : 'me';
  const isGreeting = beforeVerb === 'how' && IN_GREETINGS.has(next.core.toLowerCase()) && next.after.startsWith('?');
  if (!after.startsWith('?') && !isGreeting) return 'I';
  // "I am dying, aren't I?" asks nobody else.
  return subject === 'I' && isTag(written, at - 1) ? 'I' : null;
}

/** Whether a verb begins what is appended to a statement: ", aren't you?" */
function isTag(written: readonly string[], at: number): boolean {
  return partsOf(written[at] ?? '').before === '' && partsOf(written[at - 1] ?? '').after.startsWith(',');
}

function isSubjectHere(previous: string, next: string, punctuation: string): boolean {
  if (GIVING.has(previous)) return false;
  if (AUXILIARIES.has(next)) return true;
  if (BEFORE_OBJECTS.has(previous)) return false;
  // "My partner pushed you on Saturday."
  if (previous.endsWith('ed') || (previous !== '' && AFTER_OBJECTS.has(next))) return false;
  return next !== '' && !/[.,;:!?]/.test(punctuation);
}

function partsOf(word: string): { before: string; core: string; after: string } {
  const core = /[\p{L}\p{N}](?:[\p{L}\p{N}'’-]*[\p{L}\p{N}])?/u.exec(word);
  if (core === null) return { before: word, core: '', after: '' };
  return { before: word.slice(0, core.index), core: core[0], after: word.slice(core.index + core[0].length) };
}

function plainLower(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}

/** The word before in the same clause; empty at the start of one. */
function lastWord(words: readonly string[], at: number): string {
  const { core, after } = partsOf(words[at - 1] ?? '');
  return /[,;:.!?]/.test(after) ? '' : core.toLowerCase();
}

const THE_PATIENT =
  /^(?:the |this )?(?:patient|caller|client)('s|’s)?\s+(\p{L}{1,20}(?:['’]t)?)\b|\b(?:the|this) (?:patient|caller|client)('s|’s)?(?![\p{L}])/giu;

function asSecondPerson(match: string, atStart?: string, verb?: string, inside?: string): string {
  if (verb === undefined) return inside === undefined ? 'you' : 'your';
  if (atStart !== undefined) return `Your ${verb}`;
  return `You ${agreeingWithYou(verb)}`;
}

const IRREGULAR = new Map([
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['does', 'do'],
  ["isn't", "aren't"],
  ["doesn't", "don't"],
  ["hasn't", "haven't"],
  ["wasn't", "weren't"],
  ['goes', 'go'],
]);

/** The form of a verb in the third person that goes with "you": "takes" is "take". */
export function agreeingWithYou(verb: string): string {
  const lower = plainLower(verb);
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  // "Carries", but not "lies".
  if (/[a-z][^aeiou]ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|zz)es$/.test(lower)) return lower.slice(0, -2);
  return /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}
