import { DECISIONS } from '../../domain/rubric';
import { NO_USAGE } from '../model/model-usage';
import { localNumbers, numbersIn } from './local-numbers';
import { ReplyIndex } from './reply-index';
import { requirementOf } from './requirement';
import { HALF, searchFault, searchWanted, WHOLE } from './search';
import type { Mark, Question, MarkingRequest, MarkingAnswer } from './marking-request';
import { countsWhoeverIsAddressed } from './words-to-examiner';

/**
 * Answers a marking request without a model, the same way every time: looks for each criterion's content words, or their synonyms, in the
 * agent's sentences. It knows negations, conditions and questions, names what it found, and decides NOT MET when it found nothing.
 * Takes time in proportion to sentences and questions, without yielding: long texts belong in a thread.
 */
export function markByWords({
  sentences: said,
  questions,
  scale,
  region,
}: Omit<MarkingRequest, 'marker'>): MarkingAnswer {
  const indexes = new Map<string, ReplyIndex>();
  const indexFor = (criterion: string, isForAll: boolean): ReplyIndex => {
    const key = isForAll ? 'all' : numbersIn(criterion).join(' ');
    const known = indexes.get(key) ?? (isForAll ? ReplyIndex.of(said, 'all') : localIndex(said, region, criterion));
    indexes.set(key, known);
    return known;
  };
  const marks = questions.map((question) => {
    const { criterion, isFault } = question;
    // For a fault all that was said counts, as it was said: sending somebody to emergency services is that act whatever the number.
    const isForAll = countsWhoeverIsAddressed({ criterion, points: isFault ? -1 : 1 });
    return decide(question, indexFor(criterion, isForAll), scale.includes(DECISIONS[1]));
  });
  return { marks, addressedToExaminer: [], summary: summaryOf(marks, questions), usage: NO_USAGE, answeredBy: null };
}

function localIndex(
  said: MarkingRequest['sentences'],
  region: MarkingRequest['region'],
  criterion: string,
): ReplyIndex {
  const local = localNumbers(region, criterion);
  return ReplyIndex.of(
    said.map((sentence) => ({ ...sentence, text: local(sentence.text) })),
    'to_patient',
  );
}

function decide({ number, criterion, isFault }: Question, index: ReplyIndex, hasHalf: boolean): Mark {
  const requirement = requirementOf({ criterion, points: isFault ? -1 : 1 });
  const { expectsAbsence } = requirement;
  const { share, sentences } = (isFault || expectsAbsence ? searchFault : searchWanted)(requirement, index);
  const make = (decision: Mark['decision'], rationale: string, isProven = false): Mark => ({
    number,
    evidence: isProven ? sentences.map(({ id }) => id) : [],
    absence: expectsAbsence && decision === 'MET',
    rationale,
    decision,
  });
  const turns = turnsText([...new Set(sentences.map(({ turn }) => turn))].sort((one, other) => one - other));
  if (expectsAbsence) {
    if (share >= WHOLE) return make('NOT MET', `The agent did say so in ${turns}.`, true);
    if (index.sentences.length === 0) return make('NOT MET', 'The agent said nothing that could be marked.');
    return make('MET', 'None of the agent’s replies says so.');
  }
  if (share >= WHOLE) return make('MET', `Said in ${turns}.`, true);
  if (share >= HALF && !isFault && hasHalf) {
    return make('PARTIALLY MET', `About half of what it names was said, in ${turns}.`, true);
  }
  return make('NOT MET', 'None of the agent’s replies says this.');
}

/** The turns of the evidence, as the end of a sentence: "turn 2", "turns 2 and 5". */
function turnsText(turns: readonly number[]): string {
  return `${turns.length === 1 ? 'turn' : 'turns'} ${turns.join(' and ')}`;
}

/** Counts wanted and unwanted criteria separately: a forbidden act that is MET is no achievement. */
function summaryOf(marks: readonly Mark[], questions: readonly Question[]): string {
  const unwanted = new Set(questions.filter(({ isFault }) => isFault).map(({ number }) => number));
  const met = marks.filter(({ decision }) => decision === 'MET').map(({ number }) => number);
  const violations = met.filter((number) => unwanted.has(number)).length;
  const wanted = `${met.length - violations} of ${questions.length - unwanted.size} criteria met`;
  const forbidden = unwanted.size === 0 ? '' : `, ${violations} of ${unwanted.size} forbidden acts found`;
  return `${wanted}${forbidden}; marked offline by word matching.`;
}
