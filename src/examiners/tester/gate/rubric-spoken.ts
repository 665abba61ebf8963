import { holdsText, Needle } from '../../../domain/text-search';
import { wordsOf } from '../../rules/words';
import { agentTexts, type GateFault, type GateRequest } from './gate-request';

/** The act with which a criterion begins: "Asks whether …", "Tells the patient to …". */
const ACT = /^\p{L}{3,20}s (?:(?:the )?(?:patient|caller|client|her|him|them) )?(?:(?:whether|about|that|to|if) )?/iu;
/** Shorter pieces of a criterion are everyday words: "call emergency services now". */
const LEAST_WORDS = 6;
const LEAST_WORDS_WITH_ACT = 3;

/** Sentences of the rubric that the patient says, with or without their act; but not words found in the script or in what the agent said. */
export function rubricSpoken(request: GateRequest): GateFault[] {
  const { message, criteria, card } = request;
  const said = spaced(message);
  const found = criteria.flatMap((criterion) => {
    const whole = spaced(criterion);
    const core = spaced(criterion.replace(ACT, ''));
    const isWhole = wordCount(whole) >= LEAST_WORDS_WITH_ACT && holdsText(said, whole);
    const isCore = wordCount(core) >= LEAST_WORDS && holdsText(said, core);
    return isWhole || isCore ? [isWhole ? whole : core] : [];
  });
  if (found.length === 0) return [];
  const open = [card.script, card.chief_complaint, ...agentTexts(request)].map(spaced);
  return found
    .filter((words) => {
      const needle = new Needle(words);
      return !open.some((text) => needle.isIn(text));
    })
    .map((words): GateFault => ({ kind: 'rubric_spoken', severity: 'helped', text: words.trim() }));
}

/** The words of a text, with a space before, after and between. */
function spaced(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

function wordCount(words: string): number {
  return words.trim().split(' ').length;
}
