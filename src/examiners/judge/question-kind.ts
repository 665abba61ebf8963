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
