import { randomInt } from 'node:crypto';
import {
  EffectFailed,
  type ExaminedTurn,
  type Notes,
  sentenceWithin,
  type Region,
  DECISIONS,
  type Decision,
  type RubricCriterion,
  type Verdict,
  pointsEarned,
  scoreRubric,
  type CriterionResult,
  type Evidence,
  type PatientScenario,
} from '../../domain';
import { randomMarker } from '../model/language-model';
import { plainText } from '../rules/plain-text';
import { isStopWord, termsOf, wordsOf } from '../rules/words';
import { TextJobFailed } from '../threads/text-thread';
import type { TextReader } from '../threads/text-threads';
import { actedTurnOf, checkedTurnsOf } from '../checks/checked-turn';
import type { CheckedCriterion } from '../checks/mark-checks';
import { askJudge, inParts, type Asked, type Asking, foilsFor } from './ask-judge';
import { type CriterionDecision, type NumberedSentence, countsWhoeverIsAddressed } from './marking-request';
import { isDecisive, saysWhatIsMissing, voteOn, type Ballot } from './vote';
import { ExaminationNotes, type ExaminationRecord, type Unread } from './examination-record';
import { JudgeError, type Judge, type JudgeErrorKind } from './judge';
import type { IndexedCriterion } from './checked-marks';
import type { NumberedTranscript } from './numbered-transcript';
import { readProofs, type Proven, sideBySide } from './proof-reading';
import { requirementOf, shareAmong, termsIn } from './requirement';
import { SeededRandom } from './seeded-random';

export interface Examination {
  readonly judge: Judge;
  readonly scenario: PatientScenario;
  readonly criteria: readonly RubricCriterion[];
  readonly transcript: readonly ExaminedTurn[];
  /** What the agent did in place of a last reply, as a turn's metadata; null or left out where it replied to everything. */
  readonly closing?: Notes | null;
  /** Where the patient is; left out when that is not known. */
  readonly region?: Region | null;
  /** 0..100 */
  readonly passThreshold: number;
  /** Where long transcripts are split into sentences. */
  readonly threads: TextReader;
  /** Awaited before the judge is asked again: the first answer may have taken minutes. */
  readonly assureOwnership?: (signal: AbortSignal) => Promise<void>;
  /** 0 ≤ seed < 2³²; a random one when left out. */
  readonly seed?: number;
  /** Called when an examination reaches no verdict, whatever ended it, with what it had cost by then; `why` is null when the judge was not the cause. */
  readonly onFailure?: (record: ExaminationRecord, why: JudgeErrorKind | null) => void;
}

export interface ExaminationOutcome {
  readonly verdict: Verdict;
  readonly record: ExaminationRecord;
}

const NUMBERING_DEADLINE_MS = 60_000;
const CHECKING_DEADLINE_MS = 60_000;
const MOST_CALLS_AT_ONCE = 12;

/**
 * Marks a transcript (docs/grading.md, ADR 24): the conversation is split into sentences with ids; for each criterion the judge names
 * the sentences that prove it, gives its reasons and decides; decisive criteria are voted on by narrow examinations; where the
 * conversation would pass, proofs are read a second time by themselves. Criteria with a check are decided before by rules; where all
 * of them have one, no judge is asked (ADR 57).
 * @throws JudgeError when the judge fails, cannot be trusted or leaves a criterion undecided, or when the texts could not be read; its
 *   `kind` says which, its `record` what it cost. Other errors are rethrown unchanged: a lost lease, a canceled run or a fault of the
 *   harness is not the judge's failure
 * @throws EffectFailed `no_rubric` when there are no criteria; `grading_failed` when a check cannot be decided
 */
export async function examine(examination: Examination, signal: AbortSignal): Promise<ExaminationOutcome> {
  const { criteria } = examination;
  if (criteria.length === 0) {
    throw new EffectFailed({ code: 'no_rubric', message: 'The scenario has no rubric criteria to grade against.' });
  }
  const notes = new ExaminationNotes(examination.seed ?? randomInt(2 ** 32));
  try {
    const verdict = await mark(examination, notes, signal);
    return { verdict, record: notes.record };
  } catch (error) {
    const { record } = notes;
    const failure = signal.aborted ? null : failureOf(error);
    examination.onFailure?.(record, failure?.kind ?? null);
    throw failure === null ? error : new JudgeError(failure.kind, failure.message, { cause: error, record });
  }
}

/** Null when the judge did not fail: a lost lease, a fault of the harness. */
function failureOf(error: unknown): { readonly kind: JudgeErrorKind; readonly message: string } | null {
  if (error instanceof JudgeError) return error;
  return error instanceof TextJobFailed ? { kind: 'texts_unread', message: error.message } : null;
}

async function mark(examination: Examination, notes: ExaminationNotes, signal: AbortSignal): Promise<Verdict> {
  const { judge, criteria, transcript, region = null, passThreshold, assureOwnership = noCheck } = examination;
  const ruled = await decidedByChecks(examination, signal);
  const isRuled = new Set(ruled.map(({ index }) => index));
  const judged = criteria.map((criterion, index): IndexedCriterion => ({ ...criterion, index }));
  const asksFor = judged.filter(({ index }) => !isRuled.has(index));
  if (asksFor.length === 0) {
    return verdictOf(criteria, inOrder(ruled), { passThreshold, summary: '', replies: transcript.length });
  }
  const random = new SeededRandom(notes.seed);
  const { sentences, unread } = await numbered(examination, signal);
  notes.noteRead(unread);
  const indexed = random.shuffled(asksFor);
  const asking = { judge, scale: scaleOf(examination), region, marker: randomMarker(), notes, assureOwnership };
  const parts = inParts(indexed).map((part): Asking => {
    return { ...asking, extent: 'whole', criteria: part, sentences, random: random.fork() };
  });
  const lanes = { most: MOST_CALLS_AT_ONCE, beforeLater: assureOwnership };
  const asked = await sideBySide(parts, lanes, signal, askJudge);

  const addressed = new Set(asked.flatMap((part) => part.addressed));
  const spoken = sentences.filter(({ id, toExaminer }) => toExaminer || addressed.has(id));
  notes.noteAddressed(evidenceOf(spoken));
  const firsts = asked.flatMap(({ decisions }) =>
    decisions.map((decision) => {
      const criterion = criteria[decision.index];
      return criterion !== undefined && countsWhoeverIsAddressed(criterion)
        ? decision
        : withoutSpoken(decision, addressed);
    }),
  );
  const decidedFirst = new Map(firsts.map((first) => [first.index, first]));
  const isUnlikely = unlikelyProof(sentences);
  const ballots = firsts.flatMap((first): Ballot[] => {
    const criterion = indexed.find(({ index }) => index === first.index);
    if (criterion === undefined || judge.isDeterministic) return [];
    const isProofUnlikely = criterion.points > 0 && isUnlikely(criterion, first);
    if (!isDecisive(criterion, first, isProofUnlikely || spoken.length > 0)) return [];
    const cited = new Set(first.evidence.map(({ id }) => id));
    const foils = isProofUnlikely ? foilsFor(indexed, decidedFirst, cited, random) : [];
    return [{ asking, criterion, first, isProofUnlikely, foils, sentences, addressed, random: random.fork() }];
  });
  if (ballots.length > 0) await assureOwnership(signal);
  const voted = await sideBySide(ballots, lanes, signal, voteOn);

  const summary = [summaryOf(asked), ...unread.map(leftOut)].join(' ').trim();
  const frame = { passThreshold, summary, replies: transcript.length };
  const decided = inOrder([...ruled, ...firsts, ...voted]);
  const verdict = verdictOf(criteria, decided, frame);
  if (judge.isDeterministic || !verdict.passed) return verdict;

  const readAlone = new Set(ballots.filter(({ isProofUnlikely }) => isProofUnlikely).map(({ first }) => first.index));
  const proven = indexed.flatMap((criterion): Proven[] => {
    const first = decided[criterion.index];
    if (first === undefined || criterion.points < 0 || first.decision === 'NOT MET') return [];
    return readAlone.has(first.index) || saysWhatIsMissing(criterion, first) ? [] : [{ criterion, first }];
  });
  const isDoubted =
    spoken.length > 0 || notes.record.controls.wrong > 0 || verdict.criteria.some(({ disputed }) => disputed);
  const criteriaAndDecisions = { criteria: indexed, decided: new Map(decided.map((one) => [one.index, one])) };
  const reading = { asking, ...criteriaAndDecisions, proven, sentences, isDoubted, random: random.fork(), lanes };
  const read = await readProofs(reading, signal);
  return verdictOf(criteria, inOrder([...decided, ...read]), frame);
}

/**
 * The criteria that a check decides, by the rubric in force and without a call. They come first: what cannot be decided costs nothing.
 * @throws EffectFailed when one cannot be decided by what is known of the conversation
 */
async function decidedByChecks(
  { criteria, transcript, closing, threads }: Examination,
  signal: AbortSignal,
): Promise<CriterionDecision[]> {
  const checked = criteria.flatMap(({ points, by_turn, check }, index): CheckedCriterion[] =>
    check === undefined ? [] : [{ index, points, check, ...(by_turn === undefined ? {} : { by_turn }) }],
  );
  if (checked.length === 0) return [];
  const readsCalls = checked.some(({ check }) => check.kind === 'tool_call');
  const request = {
    criteria: checked,
    turns: checkedTurnsOf(transcript, readsCalls),
    ...(readsCalls && closing ? { closing: actedTurnOf(transcript.length + 1, closing) } : {}),
  };
  const marks = await threads.run('check', request, CHECKING_DEADLINE_MS, signal);
  return marks.map((mark): CriterionDecision => {
    const { index, kind } = mark;
    if ('undecided' in mark) {
      const message = `Criterion ${index + 1} (check ${kind}) cannot be decided: ${mark.undecided}.`;
      throw new EffectFailed({ code: 'grading_failed', message: sentenceWithin(message) });
    }
    const { decision, rationale, evidence, absentFrom } = mark;
    return {
      index,
      decision,
      rationale,
      evidence: evidence.map(({ quote: text, ...place }, at): NumberedSentence => {
        const id = `a${place.turn}.c${at + 1}`;
        return { id, speaker: 'agent', ...place, text, toExaminer: false, leftOutBefore: 0 };
      }),
      absence: absentFrom !== null,
      check: kind,
      ...(absentFrom === null ? {} : { repliesRead: absentFrom }),
    };
  });
}

/** One for each criterion, the latest, in the rubric's order. */
function inOrder(decisions: readonly CriterionDecision[]): CriterionDecision[] {
  const latest = new Map(decisions.map((decision) => [decision.index, decision]));
  return [...latest.values()].sort((one, other) => one.index - other.index);
}

async function numbered(
  { transcript, criteria, threads }: Examination,
  signal: AbortSignal,
): Promise<NumberedTranscript> {
  // What the agent did may be long, and the judge is not shown it.
  const spoken = transcript.map(({ metadata: _acts, ...turn }) => turn);
  const request = { transcript: spoken, criteria: criteria.map(({ criterion }) => criterion) };
  return threads.run('number', request, NUMBERING_DEADLINE_MS, signal);
}

/** An imported rubric may be marked on the scale it was written for. */
function scaleOf({ scenario }: Examination): readonly Decision[] {
  return scenario.content['rubric_scale'] === 'binary' ? ['MET', 'NOT MET'] : DECISIONS;
}

/** A sentence named as words to the examiner while one part of the criteria was marked proves nothing in the others. */
function withoutSpoken(decision: CriterionDecision, addressed: ReadonlySet<string>): CriterionDecision {
  const evidence = decision.evidence.filter(({ id }) => !addressed.has(id));
  if (evidence.length > 0 || decision.evidence.length === 0) return { ...decision, evidence };
  if (decision.decision === 'NOT MET') return { ...decision, evidence };
  throw new JudgeError(
    'marks_unusable',
    `The judge proved criterion ${decision.index + 1} by sentences that it called words to the examiner.`,
  );
}

function summaryOf(asked: readonly Asked[]): string {
  return asked.map(({ summary }) => summary).join(' ');
}

function leftOut({ turn, characters }: Unread): string {
  return `The reply in turn ${turn} is too long: the judge did not read ${characters} of its characters.`;
}

const noCheck = (): Promise<void> => Promise.resolve();

/** The share of a criterion's words, synonyms counted, that its proof should contain. */
const LEAST_SHARE = 0.25;
/** Every third word or so of English is a stop word. */
const ENGLISH_SHARE = 0.15;

/**
 * Finds proofs that say nothing about what they are to prove: a judge that was talked into a mark names any sentence. This is a reason
 * for a second examination, no more: most things can be said in other words. Words can be compared only where the agent speaks English.
 */
function unlikelyProof(
  sentences: readonly NumberedSentence[],
): (criterion: Pick<RubricCriterion, 'criterion' | 'points'>, decision: CriterionDecision) => boolean {
  const isEnglish = speaksEnglish(sentences);
  return (criterion, { decision, absence, evidence }) => {
    if (!isEnglish || decision === 'NOT MET' || absence) return false;
    const requirement = requirementOf(criterion);
    const said = new Set(evidence.flatMap(({ text }) => termsOf(plainText(text))));
    return termsIn(requirement).size > 0 && shareAmong(requirement, said) < LEAST_SHARE;
  };
}

/** Enough to know a language by. */
const SENTENCES_READ = 100;

function speaksEnglish(sentences: readonly NumberedSentence[]): boolean {
  const said = sentences.filter(({ speaker }) => speaker === 'agent').slice(0, SENTENCES_READ);
  const words = said.flatMap(({ text }) => wordsOf(text));
  return words.filter(isStopWord).length >= words.length * ENGLISH_SHARE;
}

interface VerdictFrame {
  /** 0..100 */
  readonly passThreshold: number;
  readonly summary: string;
  /** The number of the agent's replies. */
  readonly replies: number;
}

/** Adds up reviewed decisions to a verdict. There is one decision for each criterion, in the rubric's order. */
function verdictOf(
  criteria: readonly RubricCriterion[],
  decisions: readonly CriterionDecision[],
  { passThreshold, summary, replies }: VerdictFrame,
): Verdict {
  const results = decisions.flatMap((decided): CriterionResult[] => {
    const rubric = criteria[decided.index];
    if (rubric === undefined) return [];
    const { criterion, points, tags } = rubric;
    const { decision, rationale, evidence, absence, votes, check, repliesRead = replies } = decided;
    return [
      {
        criterion,
        tags,
        decision,
        points: pointsEarned(points, decision),
        maxPoints: points,
        rationale,
        evidence: evidenceOf(evidence),
        absence,
        ...(absence ? { repliesRead } : {}),
        ...(votes === undefined ? {} : { votes }),
        disputed: new Set(votes).size > 1,
        ...(check === undefined ? {} : { check }),
      },
    ];
  });
  const { passed, scorePercent, totalPoints, maxPoints } = scoreRubric(results, passThreshold);
  return { passed, scorePercent, totalPoints, maxPoints, summary, criteria: results };
}

/** The stored words, fit for PostgreSQL. */
export function evidenceOf(sentences: readonly NumberedSentence[]): Evidence[] {
  return sentences.map(({ turn, text, call }) => ({
    turn,
    quote: text.replaceAll('\0', '').toWellFormed(),
    ...(call === undefined ? {} : { call }),
  }));
}
