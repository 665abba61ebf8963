/** A sentence that asks for an answer, with a question mark or without one. */
export function isQuestionIn(sentence: string): boolean {
  return /[?？]["'”’)*\s]*$/.test(sentence) || ASKS_TO_TELL.test(sentence) || UNMARKED_QUESTION.test(sentence);
}

/** A clause of a question with which the asking begins. */
export function opensQuestion(clause: string): boolean {
  return ASKS_TO_TELL.test(clause) || (OPENS_QUESTION.test(clause) && !REQUEST_TO_ACT.test(clause));
}

/** A clause of a question that says what to do: "Call 999 now, and tell me …?" */
export function isOrder(clause: string): boolean {
  return ORDER.test(clause) || REQUEST_TO_ACT.test(clause);
}

/** "You need an antibiotic, is that what he said?" */
export function asksWhetherSo(clause: string): boolean {
  return WHETHER_SO.test(clause);
}

/** "…, okay?" asks whether something was understood: what stands before it is no question. */
export function isTag(clause: string): boolean {
  return TAG.test(clause);
}

const TELLING = 'tell|describe|say|rate|think|remember|answer|explain|share|confirm';
/** "Let me know how it goes" takes leave. */
const TAKING_LEAVE = String.raw`how (?:it|that|this|things|you|he|she|they) (?:go|goes|went|get|gets|turn|turns)\b`;
const ASKS_TO_TELL = new RegExp(
  String.raw`\b(?:tell me|let me know(?! ${TAKING_LEAVE})|can you describe|please describe|could you (?:share|describe)|(?:walk|talk) me through|i(?:'d| would) like to (?:know|ask|hear)|i (?:want|need) to (?:know|ask)|i(?:'d| would) also like to know|may i ask|can i ask|i wonder (?:if|whether|how|when|what))\b(?! you to (?!${TELLING}))`,
  'i',
);
const LEAD = String.raw`^["'(*\s]*(?:(?:and|so|also|but|or|then|okay|ok|first|next|now|please)\b[,\s]*){0,3}`;
const AUXILIARY = 'do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|might|may';
const WH = String.raw`(?:what|when|where|which|who|why|how(?: \w+){0,2}|(?:what|which)(?: \w+){1,3})`;
/** "How long has this been going on." In chat the question mark is often left out. "Do it" and "have anyone call" are orders. */
const UNMARKED_QUESTION = new RegExp(
  `${LEAD}(?:${WH} (?:do|does|did|is|are|was|were|has|have|had|can|could) (?:you|he|she|it|they|this|that|the|your|his|her)\\b|(?:do|have) (?:you|they|there|any)\\b|(?:does|did|are|is|was|were|has|had) (?:you|he|she|it|they|there|anyone|anybody|anything|any)\\b|any (?:pain|fever|rash|history|bleeding|allerg|trouble|other)[^,.!]{0,60}$)`,
  'i',
);
const OPENS_QUESTION = new RegExp(
  `${LEAD}(?:${WH} (?:${AUXILIARY})\\b|(?!(?:do|have) (?:it|this|that|them|him|anyone|anybody|someone|somebody)\\b)(?:${AUXILIARY}|isn't|aren't|don't|doesn't|haven't|hasn't|didn't|any|anything|anyone) |(?:what|how|when|where|why|which|who)\\b)`,
  'i',
);
/** "Could you lie down?" asks for an act, not for an answer. */
const REQUEST_TO_ACT = new RegExp(
  `${LEAD}(?:(?:would|will|could) you (?:please )?(?!say|describe|tell|have|be|feel|know|rate|remember)|can you (?:please )?(?:call|ring|phone|dial|go|get|take|put|use|ask|lie|sit|press|stop|have someone|unlock|open)\\b|(?:can|may|could) i ask you to (?!${TELLING})|why don't you |why not |how about |what about )`,
  'i',
);
const ORDER = new RegExp(
  `${LEAD}(?:call|ring|phone|dial|go|take|put|use|ask|lie|sit|press|stop|stay|keep|drink|rest|wait|leave|give|don't|do not|never|you (?:should|must|need|can)|i(?:'d| would) (?:advise|suggest|recommend)|would you|could you|can you|will you|why don't|why not|how about|what about)\\b`,
  'i',
);
const TAG =
  /^(?:and |so )?(?:okay|ok|all right|alright|understood|is (?:that|this) (?:clear|understood|okay|ok|all right)|do you understand|does that make sense)[?？]["'”’)*\s]*$/i;
const WHETHER_SO =
  /^(?:and |so )?is (?:that|this) (?:right|correct|so|true|it|what|how)\b[^?？]{0,60}[?？]["'”’)*\s]*$/i;

/** What a question wants to know of its topic, as a term that no word can be. */
const KINDS: readonly (readonly [term: string, asked: RegExp, demanded: RegExp])[] = [
  [
    '?when',
    /\b(?:when|how long|how soon|how recently|how many (?:hours|days|weeks|months)|since|what (?:time|day|date)|which day|ago|last)\b/i,
    /^\w+ (?:exactly )?(?:when|how long)\b/,
  ],
  [
    '?often',
    /\b(?:often|frequent(?:ly)?|how many (?:times|days|nights)|every (?:day|night)|a (?:day|week|month))\b/i,
    /^\w+ how often\b/,
  ],
  [
    '?much',
    /\b(?:how (?:many|much|far|high|low|strong|big|large|bad)|number of|amount|what (?:dose|strength|(?:is|was) (?:the|your|his|her|it))|what's (?:the|your|his|her|it)|roughly|at least|more than|less than|any)\b/i,
    /^\w+ how (?:many|much|far)\b/,
  ],
  [
    '?before',
    /\b(?:before|previously|ever|earlier|other times|in the past|first time|last time|history|already had)\b/i,
    /\b(?:earlier|previous)\b/,
  ],
  [
    '?already',
    /\b(?:already|yet|so far|up to now|until now|tried|have (?:you|they)|has (?:he|she)|anything for it)\b/i,
    /\b(?:already|so far)\b/,
  ],
  ['?where', /\b(?:where|which (?:part|side|bit|area|spot|place)|point to|show me)\b/i, /^\w+ (?:exactly )?where\b/],
];

/** The kind of a question that a criterion demands: "asks when …"; null when any will do. */
export function questionKindOf(criterion: string): string | null {
  return KINDS.find(([, , demanded]) => demanded.test(criterion))?.[0] ?? null;
}

/** The kinds that a sentence of the agent can be. */
export function questionKindsIn(sentence: string): string[] {
  return KINDS.flatMap(([term, asked]) => (asked.test(sentence) ? [term] : []));
}
