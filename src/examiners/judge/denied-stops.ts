const STOP = String.raw`(?:stop(?:ping|ped|s)?|discontinu(?:e|ing|ed|es)|ceas(?:e|ing)|quit(?:ting)?|paus(?:e|ing)|withhold(?:ing)?|skip(?:ping)?|miss(?:ing)?)`;
const ANY_STOP = new RegExp(String.raw`\b${STOP}\b`, 'i');
const HOW = '(?:suddenly|abruptly|quickly|immediately|simply|just|even|ever|yet|now|completely|altogether)';

/** "Do not stop", "against suddenly stopping", "no reason to stop", "not a good idea to stop"; "why not stop" is a proposal. */
const DENIED = new RegExp(
  String.raw`(?<!\bwhy )\b(?:(?:(?:do|does|should|must|could|would|can|will|need|is|are) )?not|(?:do|does|should|must|ca|wo|need|is)n['’]t|cannot|never|(?<=\b(?:advis|recommend|warn|caution|counsel|decid|strong)\w{0,6} (?:\w{1,12} ){0,3})against|without|avoid(?:ing)?|no (?:need|reason|cause))` +
    String.raw`((?: (?:to|be|have|need|try|for you|safe|advisable|recommended|wise|necessary|good|idea|a|${HOW})){0,5}) ${STOP}\b(?= )`,
  'gi',
);
/** "It is dangerous to stop", "stopping it suddenly would be a mistake". */
const WARNED_OF = new RegExp(
  String.raw`(?<=\b(?:dangerous|risky|unsafe|harmful|unwise|mistake)(?: for (?:you|him|her|them))? to (?:${HOW} )?)${STOP}\b|(?<=^(?:(?:please|and|but|so|also|yet|then|because|${HOW}),? ){0,3})(?:stopping|discontinuing|ceasing|quitting|pausing|withholding|skipping|missing)\b(?= )`,
  'gi',
);

/** Two negations: who is told not to stop something is told to go on with it. */
export function withoutDeniedStops(text: string): string {
  // Most texts stop nothing.
  return ANY_STOP.test(text) ? text.replace(DENIED, 'continue$1') : text;
}

/** The same of a clause that calls it dangerous to stop something. */
export function withoutWarnedStops(clause: string): string {
  return clause.replace(WARNED_OF, 'continue');
}
