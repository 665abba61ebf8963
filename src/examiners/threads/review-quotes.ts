import { Needle } from '../../domain';
import { storableText } from '../../platform/storable-text';

/** A turn's words, of which a review quotes. */
export interface QuotedTurn {
  readonly turn: number;
  readonly patientMessage: string;
  readonly agentMessage: string;
}

export interface QuotesRequest {
  /** By criterion in the review's order, its quotes. */
  readonly evidence: readonly (readonly { readonly turn: number; readonly quote: string }[])[];
  readonly turns: readonly QuotedTurn[];
}

/** Problems named; a review with more of them is wrong enough. */
export const MOST_PROBLEMS = 20;
/** 250 quotes of the longest replies; a thread reads as much in about half a second. */
const MOST_READ = 256 * 1024 * 1024;

/**
 * What is wrong with a review's quotes, by path: each has to stand word for word in the agent's reply of its turn. At most MOST_PROBLEMS,
 * and the replies are read for MOST_READ characters altogether.
 */
export function quoteProblems({ evidence, turns }: QuotesRequest): readonly string[] {
  const said = new Map(
    turns.map(({ turn, patientMessage, agentMessage }) => [
      turn,
      { agent: storableText(agentMessage), patient: storableText(patientMessage) },
    ]),
  );
  const problems: string[] = [];
  const standing = new Set<string>();
  let left = MOST_READ;
  for (const [place, quotes] of evidence.entries()) {
    for (const [number, { turn, quote }] of quotes.entries()) {
      if (problems.length >= MOST_PROBLEMS) return problems;
      const at = `criteria[${place}].evidence[${number}]`;
      const words = said.get(turn);
      if (words === undefined) {
        problems.push(`${at}.turn: the conversation has no turn ${turn}`);
        continue;
      }
      const known = `${turn} ${quote}`;
      if (standing.has(known)) continue;
      left -= words.agent.length;
      if (left < 0) {
        problems.push(
          `${at}.quote: to find this review's quotes, more than ${MOST_READ} characters of replies would have to be read: quote such long replies less often`,
        );
        return problems;
      }
      const needle = new Needle(quote);
      if (needle.isIn(words.agent)) {
        standing.add(known);
        continue;
      }
      problems.push(
        needle.isIn(words.patient)
          ? `${at}.quote: these are the patient’s words in turn ${turn}; only the agent’s prove anything`
          : `${at}.quote: the agent’s reply in turn ${turn} does not hold these words exactly`,
      );
    }
  }
  return problems;
}
