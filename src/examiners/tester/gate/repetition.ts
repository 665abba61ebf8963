import { termsOf, weightOf, wordsOf } from '../../rules/words';
import type { GateFault, GateRequest } from './gate-request';

/** Below this a message says nothing that could be repeated: "No, not that I know of." */
const LEAST_SAID = 2;
/** The share of word runs in common that makes a message a repetition of another. */
const SAME_SHARE = 0.9;
const RUN = 3;

/** A message that repeats an earlier one, word for word or nearly so. */
export function repetition({ message, history }: GateRequest): GateFault[] {
  const said = termsOf(message).reduce((sum, term) => sum + weightOf(term), 0);
  if (said < LEAST_SAID) return [];
  const runs = runsOf(message);
  const isRepeated = history.some(({ patientMessage }) => share(runs, runsOf(patientMessage)) >= SAME_SHARE);
  return isRepeated ? [{ kind: 'repeated', severity: 'hindered', text: message }] : [];
}

/** "Well, …" does not make it a new message; "As I said, …" does: whoever says it was asked again. */
const OPENERS = new Set(['well', 'yes', 'yeah', 'no', 'oh', 'so', 'um', 'hmm', 'ok', 'okay', 'and']);

function runsOf(text: string): ReadonlySet<string> {
  const all = wordsOf(text);
  const words = all.slice(
    Math.max(
      0,
      all.findIndex((word) => !OPENERS.has(word)),
    ),
  );
  if (words.length < RUN) return new Set([words.join(' ')]);
  return new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' ')));
}

/** Jaccard's index. */
function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const run of one) if (other.has(run)) both += 1;
  return both / (one.size + other.size - both);
}
