import { termsOf, type Token } from '../rules/words';

/** After one of these words in a clause, things are denied, forbidden or stopped. */
const NEGATORS = new Set(
  `not no never none nothing without cannot stop stops stopping stopped against instead rather
   refrain discontinue pause pausing withhold skip skipping neither nor isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't
   mustn't needn't haven't hasn't hadn't`.split(/\s+/),
);
/** Groups of synonyms that do the same, words and phrases alike: "steer clear of", "leave out". */
const NEGATING_TERMS = new Set(['avoid']);
/** The words that also deny what comes before them: "ibuprofen is not safe", but not "do not". */
const BACKWARD = new Set(
  `not never cannot isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't doesn't`.split(/\s+/),
);
/** "Is taken once a week, not every day": after anything but these, "not" begins a contrast and denies only what follows. */
const CARRIES_NOT = new Set(
  `is are was were be been am it's that's they're he's she's you're do does did will would can could may might must should shall has have had
   probably really certainly definitely usually always also therefore still just`.split(/\s+/),
);
/** What is said of these is said of what they join: "rather than", "instead of", "not only". */
const DENIES_NOTHING = new Set(['only', 'just']);

/** "For the pain do not take ibuprofen" denies what follows, "antibiotics do not help" what comes before it as well. */
const ORDERED =
  /^(?:take|use|give|drive|eat|drink|stop|wait|stay|leave|go|call|put|make|let|worry|hesitate|be|try|start|apply|rub|pop|hold|keep|share|mix)$/;
const WAITING_FOR = new Set(['to', 'until', 'till', 'for', 'and', 'see']);
/** "Press a glass against the skin" denies nothing. */
const AGAINST = /^(?:advis|recommend|warn|caution|decid|counsel|strong)/;

/** Empty before the first token and after the last. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? '';
}

/** Says for each position in a clause whether a negation covers it. */
export function negationScope(tokens: readonly Token[]): (at: number) => boolean {
  const at = tokens.findIndex((_, position) => isNegatorAt(tokens, position));
  const warning = warningAfter(tokens, at);
  if (warning !== -1) return (position) => position === warning;
  if (at === -1) return () => false;
  const word = wordAt(tokens, at);
  const before = wordAt(tokens, at - 1);
  const isDo = before === 'do' || word === "don't";
  const states = isDo && !ORDERED.test(wordAt(tokens, at + 1));
  const isImperative = !states && (isDo || before === 'please' || before === 'to');
  const isContrast = word === 'not' && !CARRIES_NOT.has(before);
  const isBackward = states || (BACKWARD.has(word) && !isImperative && !isContrast);
  return (position) => isBackward || position >= at;
}

const WARNING = new Set('dangerous risky unsafe harmful unwise mistake'.split(' '));
/** The terms for what calls a thing dangerous. */
export const WARNING_TERMS: ReadonlySet<string> = new Set([...WARNING].flatMap(termsOf));
/** "Not at all a dangerous" */
const DEGREES = /^(?:at|all|really|that|so|very|too|a|actually|particularly)$/;

/** "It is not dangerous to wait" denies the danger, and grants the waiting. */
function warningAfter(tokens: readonly Token[], at: number): number {
  if (at === -1) return -1;
  let next = at + 1;
  while (next <= at + 3 && DEGREES.test(wordAt(tokens, next))) next += 1;
  return WARNING.has(wordAt(tokens, next)) ? next : -1;
}

/** A phrase such as "do not wait" or "no problem" has a meaning of its own and denies nothing. */
export function isNegatorAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (NEGATING_TERMS.has(token.term)) return true;
  const next = wordAt(tokens, at + 1);
  // "Don't wait" urges, and "don't wait to see whether it passes" denies.
  if (token.isPhrase) return NEGATORS.has(token.word) && token.term === 'immediate' && WAITING_FOR.has(next);
  if (!NEGATORS.has(token.word)) return false;
  if (token.word === 'against') return at === 0 || AGAINST.test(wordAt(tokens, at - 1));
  return !DENIES_NOTHING.has(next);
}
