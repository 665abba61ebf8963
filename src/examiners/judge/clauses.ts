import { withoutDeniedStops, withoutWarnedStops } from './denied-stops';
import { asksWhetherSo, isOrder, isTag, opensQuestion } from './questions';

/** A clause of a sentence, and in what way it is said. */
export interface Clause {
  readonly text: string;
  /** Depends on an "if": said for a case that may not arise. */
  readonly conditional: boolean;
  /** Part of a question, and not of what is said before it. */
  readonly asked: boolean;
  /** What another person said or thinks: "You said it is only indigestion". */
  readonly reported: boolean;
  /** Said as a possibility: "It may be normal". What a person may or can do is no possibility but leave to do it. */
  readonly hedged: boolean;
  /** Names something that one does: a medicine that is only mentioned is not advised. */
  readonly advising: boolean;
  /** Calls it dangerous: "Waiting until tomorrow would be a mistake." */
  readonly warned: boolean;
  /** Calls doing something dangerous, and so says not to do it. */
  readonly discouraged: boolean;
}

/** The clauses of a sentence in order. Takes time in proportion to the sentence. */
export function clausesIn(sentence: string, isQuestion: boolean): Clause[] {
  const clauses: Clause[] = [];
  let asked = false;
  let isAskedThroughout = isQuestion;
  let isDoubted = false;
  for (const part of withoutDeniedStops(sentence).split(/[;:]\s+/)) {
    const texts = part.split(CLAUSE_BREAK);
    const isWhole = isConditionAt(part);
    for (const [at, text] of texts.entries()) {
      const next = texts[at + 1] ?? '';
      asked ||= isQuestion && opensQuestion(text);
      if (isOrder(text) || isTag(text)) isAskedThroughout = false;
      isDoubted ||= asksWhetherSo(text);
      const namesDanger = WARNED.test(text);
      const done = namesDanger ? withoutWarnedStops(text.replace(NOT_DONE, ' ')) : text;
      const warned = namesDanger && done === text;
      clauses.push({
        text: done,
        conditional:
          isWhole ||
          isConditionAt(text) ||
          SPEAKER_FIRST.test(text) ||
          (isConditionAt(next) && !/\beven$/i.test(text.trim())),
        asked,
        reported: REPORTED.some((pattern) => pattern.test(text)) || (CONCEDED.test(text) && /^but\b/i.test(next)),
        hedged:
          HEDGED.test(text.replace(MAY_DO, ' ')) || MORE_THAN.test(text) || RATHER_THAN.test(text) || UNSAID.test(text),
        advising: ADVISING.test(text.replace(DOES_ALREADY, ' ')),
        warned,
        discouraged: warned && DISCOURAGED.test(text),
      });
    }
  }
  const isAsked = isDoubted || (isAskedThroughout && !asked);
  return isAsked ? clauses.map((clause) => ({ ...clause, asked: true })) : clauses;
}

const CONDITION =
  /^(?:please |and |but |or |only )*(?:if|should (?:you|it|the|this|your|he|she|they|her|his)|in case|unless|whenever|(?:when|once|as soon as) (?:it|they|this|things|symptoms|(?:the|your) \w+) (?:gets?|becomes?|grows?|worsens?|spreads?|changes?)|(?:when|once) (?:you|he|she|they) (?:feel|start|get|notice|become|begin)s?)\b/i;
/** Phrases of politeness, not a case that may not arise. */
const NO_CONDITION =
  /^(?:please |and |but |or |only )*if (?:you can(?!'t|not)|you (?:haven't|have not) (?:already|yet|(?:done|called|rung|phoned|dialled)\b)|possible|at all possible|you like|you wish|you don't mind|that's|need be)\b/i;

/** "Before I talk about any tablet I need to know …": nothing is said of the tablet yet. What follows in a clause of its own is. */
const SPEAKER_FIRST = /^(?:please |and |but |or |only )*before (?:i|we)\b/i;

/** "If it gets worse, call" and "call if it gets worse" say what to do in a case that may not arise. */
function isConditionAt(text: string): boolean {
  if (CONDITION.test(text) && !NO_CONDITION.test(text)) return true;
  return SIGN_MEANS.test(text) && !IS_THERE.test(text);
}

/** "Blue toes means the emergency department straight away": what to do should they turn blue. */
const SIGN_MEANS =
  /(?<!\b(?:this|that|it|which|these|those|describe|say|tell me) )\bmeans? (?:the|an?|you|that you|calling|going|call|go|911|999|112|000)\b/i;
/** "Your symptoms mean you need an ambulance": they have come already. "Any of these" need not have. */
const IS_THERE =
  /^(?:please |and |but |or |so )*(?:this|that|it|your|these|those|both|all (?:of|this|that|these|those|your|the))\b|(?<!\b(?:of|in|on|to|at|with|from|around|near|like|any|or) )\b(?:these|those)\b|\bnow\b/i;

/** What another person says, thinks or wishes. */
const REPORTED: readonly RegExp[] = [
  /\bi (?:know|understand|hear|see) (?:that )?(?:you(?:'d| would)? )?(?:want|wanting|like|wish|wishing|hoping)\b/i,
  // "I know you take aspirin" advises nothing; "I see that you need an antibiotic" does.
  /\bi (?:can see|know|understand|hear|realise|realize|see)(?: that)? (?:your|half|many|most|people|you(?! (?:(?:really|probably|do|now) )?(?:need|must|should|have to|ought|can|could|may|might)\b))/i,
  /\bi (?:can see|know|understand|realise|realize|see) (?:why|how) (?:it|this|that|you|your|half|many|the|there)\b/i,
  /\bi (?:know|understand|realise|realize)(?: that)? (?:it|this|that) (?:(?:may|might|must|can|could|does|do|will|probably|only|just) )?(?:feel|seem|look|sound)s?\b/i,
  // "From what you have told me this is …" names the evidence for what the speaker says.
  /(?<!\b(?:as|from|given|on|with|after|hearing|to) what )\b(?:you|he|she|they|people|many|some|somebody|someone|(?:your|his|her) \w{1,20})(?:'ve| have|'re| are| were| was| may| might| also| already| just)? (?:say|says|said|saying|told me|telling me|mentioned|think|thinking|thinks|thought|believe|believed|believes|suspect|assume|assumed|hope|hoping|hoped|wonder(?: if| whether)|told|heard|read|worried|worry|fear|afraid|feel|felt) (?:that |it|this|they|he |she |you |i |there|the )/i,
  /\beven (?:if|though) (?:it|this|that|you|he|she|they)\b/i,
  /\b(?:easy|tempting|natural|understandable) to (?:think|assume|believe|hope)\b/i,
];
/** "I know it is only a cold, but …" */
const CONCEDED = /\bi (?:know|understand|realise|realize)\b/i;

const HEDGED = /\b(?:may|might|could|can|maybe|perhaps|possibly|sometimes|occasionally|not always)\b/i;
const MAY_DO = /\b(?:i|you|we|he|she|they|patients?|people|(?:your|his|her) \w{1,20}) (?:may|might|could|can)\b/gi;

/** "This is more than a sprain." */
const MORE_THAN =
  /\bmore than (?:just |only |simply |merely )?(?:a|an|the) (?!few|couple|dozen|third|half|quarter|little|bit|day|week|month|year|hour|minute)/i;
/** "I can't say for certain that it isn't your heart." */
const UNSAID =
  /\b(?:can't|cannot|can not|couldn't|won't|unable to|not able to|not possible to) (?:be (?:sure|certain)|say|tell|promise|know|rule|exclude|assume)\b|\bnot (?:sure|certain)\b/i;
const RATHER_THAN = /\bmore like\b[^.]{1,80}\bthan\b/i;
/** "You are taking aspirin" says what is so. */
const DOES_ALREADY =
  /\b(?:you|he|she|they)(?:(?:'re| are|'s| is|'ve been| have been|'s been| has been)(?: \w{1,20})? (?:taking|using|giving|having)|(?:'ve| have| has)(?: just| already| also)? (?:told|said|mentioned|described))\b/gi;
const ADVISING =
  /\b(?:tak(?:e|es|ing)|giv(?:e|es|ing)|us(?:e|es|ing)|try|trying|have|having|need|needs|should|start|starting|keep|continue|book|booking|order|ordered|arrange|go ahead|recommend|suggest|advise|prescribe|helps?|works?|fine|safe|okay|ok|chew|swallow|drink|buy|get|go for)\b|^(?:(?:please|just|now|then|so|and|only) ){0,3}(?:rest|stay|go|put|apply|eat|make|see)\b/i;

const WARNED =
  /(?<!\b(?:not|never|no|nothing|hardly|isn['’]t|wasn['’]t|aren['’]t|wouldn['’]t be) (?:(?:at all|really|that|so|very|a|actually|particularly) ){0,2})\b(?:dangerous|risky|unsafe|harmful|unwise|mistake|too (?:late|risky)|(?:makes?|making|make) (?:it|things|you|her|him|them|that) worse|(?:would|could|can|may|might) (?:harm|hurt|kill|damage|mask|hide))\b/i;

/** "Driving would be a mistake", "it is dangerous to drive", but not "this is dangerous". */
const DISCOURAGED =
  /^(?:(?:please|and|but|so|also|yet|then|because),? )*(?!(?:any|some|every|no)thing\b)\w{2,20}ing\b[^,]*\b(?:is|are|be|was)\b|\b(?:dangerous|risky|unsafe|harmful|unwise|mistake)(?: for (?:you|him|her|them))? to \w/i;

/** "Not driving would be a mistake", "it is dangerous not to call": two negations that say to do it. */
const NOT_DONE =
  /^(?:(?:please|and|but|so|also|yet|then|because),? )*(?:not (?=\w{2,20}ing\b[^,]*$)|(?:failing|failure|neglecting|refusing) (?=to \w[^,]*$))|(?<=\b(?:dangerous|risky|unsafe|harmful|unwise|mistake)(?: for (?:you|him|her|them))? )not (?=to \w)/i;

/** Where one clause ends, and with it the scope of a negation. A comma ends one only before a new verb or pronoun: lists continue. */
const CLAUSE_BREAK =
  /[;:()]|\s[-–—]\s|—|,\s+(?=(?:and |or |then |so )?(?:okay|ok|all right|alright|understood|i|you|we|they|he|she|it|this|that|please|call|dial|phone|ring|go|take|tell|get|contact|seek|ask|see|speak|stay|keep|let|rest|drink|stop|use|give|try|make|check|consider|start|do|don['’]t|never|avoid|your|is|are|does|did|has|have|can|could|what|when|how|where|which|who|why|any)\b)|\s(?=(?:(?<!\b(?:leave|leaving|put|putting) (?:it|this|that|her|him)\s|\bwait\s|\bwaiting\s)until|(?<!\bat\s)once|but|if|when|as soon as|because|unless|although|though|so|while|however|and (?:do|don['’]t|never|stop|avoid|is|are|does|did|has|have|can|could|what|when|how|where|which|who|why))\s)/i;
