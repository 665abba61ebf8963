/** "Stop taking it now": what was named before is forbidden. "Never take it without food" forbids only a way of taking it. */
export function forbidsIt(clause: string, next: string): boolean {
  const order = FORBIDS_IT.exec(clause)?.[1];
  if (order === undefined || LIMITED.test(next)) return false;
  return !UNTIL.test(next) || !/^(?:don't|do not|never)$/i.test(order);
}

/** "Naproxen is fine", "you can take naproxen", "take naproxen": what follows cannot forbid it. */
export function grantsIt(clause: string): boolean {
  return GRANTS.test(clause) && !DENIES.test(clause);
}

const FORBIDS_IT =
  /(?<!\b(?:don't|not|never) )\b(stop|avoid|don't|do not|never|skip|pause|leave) (?:(?:take|taking|use|using|have|having|give|giving|drink|drinking|eat|eating) )?(?:it|them|that|those|this|any more|any|more)(?: (?:now|today|any ?more|at all|again|altogether|completely|either|please|for now|right away|straight away|immediately|at once|off|out|alone)){0,3}[,.!"'”’)*\s]*$/i;
const LIMITED = /^(?:when|while|unless|if|as soon as|once)\b/i;
const UNTIL = /^until\b/i;

const GRANTS =
  /\b(?:you|he|she|they|patients|people) (?:can|may|should)\b(?! (?:buy|get|find|see|feel|read)\b)|\b(?:fine|safe|okay|ok|all right|alright|harmless)\b(?! for (?:most|many|some|other|healthy|young)\b)|\bi(?:'d| would)? (?:recommend|suggest)\b|^["'(*\s]*(?:(?:and|so|also|but|or|then|okay|first|next|now|please|just)\b[,\s]*){0,3}(?:take|use|give|try|have|chew|swallow|drink|eat|start|continue|keep|apply|drive|buy|get|go)\b/i;
const DENIES = /\b(?:not|never|no|cannot|can't|shouldn't|isn't|aren't|don't|stop|avoid)\b/i;
