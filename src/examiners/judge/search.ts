import { termsOf } from '../rules/words';
import { type Part, weightOf } from './criterion-parts';
import { oppositesOf } from './narrower-terms';
import { WARNING_TERMS } from './negation';
import { SOMETHING_NAMED, THIRD_PERSON } from './part-weight';
import { doingTerms, sayingTerms, shareOf, type Requirement } from './requirement';
import type { Posting, ReadSentence, ReplyIndex } from './reply-index';

/** Share of a criterion's parts that counts as all of it, and as about half of it. */
export const WHOLE = 0.7;
export const HALF = 0.38;
/** At least this share must be in a single sentence when several are taken together. */
const IN_ONE = 0.35;
/** The least share of what is said, asked or done, as opposed to the circumstances. */
const LEAST_OF_CORE = 0.33;
/** Sentences taken together for a criterion with several parts. */
const MAX_TOGETHER = 3;

export interface Found {
  /** Weight of the parts found, divided by the weight of all. */
  readonly share: number;
  readonly sentences: readonly ReadSentence[];
}

const NOTHING: Found = { share: 0, sentences: [] };

/** The sentences that say a requirement, in the way of which most is said. */
export function searchWanted(requirement: Requirement, index: ReplyIndex): Found {
  return best(requirement.ways.map((parts) => wanted(parts, requirement, index)));
}

/**
 * The sentence that says it outright: an agent is not blamed for a question, a condition, a quotation, or for words from several
 * places.
 */
export function searchFault(requirement: Requirement, index: ReplyIndex): Found {
  return best(requirement.ways.map((parts) => fault(parts, requirement, index)));
}

function best(found: readonly Found[]): Found {
  return found.reduce((most, one) => (one.share > most.share ? one : most), NOTHING);
}

interface Candidate {
  readonly parts: Set<Part>;
  /** Whether something of the core is denied. */
  negated: boolean;
  /** Whether something of it is said for a case that may not arise. */
  conditional: boolean;
}

function wanted(parts: readonly Part[], requirement: Requirement, index: ReplyIndex): Found {
  const { advisesAgainst } = requirement;
  const candidates = new Map<number, Candidate>();
  const note = ({ sentence, conditional }: Posting, part: Part, negated: boolean): void => {
    const candidate = candidates.get(sentence) ?? { parts: new Set<Part>(), negated: false, conditional: false };
    candidate.parts.add(part);
    candidate.negated ||= negated && part.isCore;
    candidate.conditional ||= conditional;
    candidates.set(sentence, candidate);
  };
  // "It" says what a claim is about only beside what is said of it.
  const knowsIt = parts.some(({ isCore, weight }) => isCore && weight >= HEAVY);
  for (const part of parts) {
    const terms = sayingTerms(part).filter((term) => knowsIt || term !== SOMETHING_NAMED);
    for (const posting of terms.flatMap((term) => index.of(term))) {
      const isForbidden =
        advisesAgainst && !posting.negated && (posting.warned || index.isForbiddenNear(posting.sentence));
      if (counts(posting, part, requirement, index) || (isForbidden && !posting.conditional)) {
        note(posting, part, posting.negated || isForbidden);
      }
    }
    if (!advisesAgainst && !requirement.asks) continue;
    for (const posting of part.terms.flatMap(oppositesOf).flatMap((term) => index.of(term))) {
      const isSaid = !posting.negated && !posting.conditional && (!posting.asked || requirement.asks);
      if (isSaid && counts(posting, part, requirement, index)) note(posting, part, true);
    }
  }
  const chosen = choose(parts, candidates, requirement);
  const isUnderCondition = chosen.sentences.some((sentence) => candidates.get(sentence)?.conditional === true);
  if (chosen.coreShare < LEAST_OF_CORE || (requirement.demandsCondition && !isUnderCondition)) return NOTHING;
  return { share: chosen.share, sentences: chosen.sentences.flatMap((sentence) => index.sentences[sentence] ?? []) };
}

/** Whether a term, as it stands in a clause, can earn something. */
function counts(posting: Posting, part: Part, requirement: Requirement, index: ReplyIndex): boolean {
  const { asks, mayBeAsked, advises, advisesAgainst, isConditional, isClaim } = requirement;
  if (asks) return index.sentences[posting.sentence]?.isQuestion === true;
  if (posting.conditional && !isConditional) return false;
  if (posting.discouraged && advises) return false;
  if (posting.asked && !mayBeAsked && !advisesAgainst) return false;
  if (posting.reported && isClaim) return false;
  return advisesAgainst || part.isCondition || !posting.negated;
}

interface Chosen {
  readonly sentences: readonly number[];
  readonly share: number;
  readonly coreShare: number;
}

/** Takes the sentence that says most, and then those that add most to it. */
function choose(
  parts: readonly Part[],
  candidates: ReadonlyMap<number, Candidate>,
  { advisesAgainst }: Requirement,
): Chosen {
  const total = weightOf(parts);
  const covered = new Set<Part>();
  const chosen: number[] = [];
  while (chosen.length < MAX_TOGETHER) {
    let next = -1;
    let most = 0;
    for (const [sentence, candidate] of candidates) {
      if (advisesAgainst && !candidate.negated) continue;
      // "Leave the antibiotics" in one place and "I cannot share" in another forbid nothing together.
      if (advisesAgainst && chosen.some((other) => Math.abs(other - sentence) > 1)) continue;
      const gain = weightOf([...candidate.parts].filter((part) => !covered.has(part)));
      if (gain > most || (gain === most && gain > 0 && sentence < next)) {
        next = sentence;
        most = gain;
      }
    }
    if (next === -1) break;
    for (const part of candidates.get(next)?.parts ?? []) covered.add(part);
    chosen.push(next);
    const isTooLittle = chosen.length === 1 && most / total < IN_ONE;
    if (isTooLittle || weightOf([...covered]) / total >= WHOLE) break;
  }
  const core = parts.filter(({ isCore, weight }) => isCore && weight >= HEAVY);
  return {
    sentences: chosen,
    share: shareOf(parts, (part) => covered.has(part)),
    coreShare: core.length === 0 ? 1 : shareOf(core, (part) => covered.has(part)),
  };
}

/** "It" stands for what a claim is about, unless the claim could be made of anything. */
const OF_ANYTHING = new Set(['normal', 'fine', 'safe', 'harmless', 'enough', 'common', 'serious', 'need']);
const TAKING: ReadonlySet<string> = new Set(termsOf('take give use try buy'));
/** Parts lighter than this are not what a criterion is about. */
const HEAVY = 0.45;

interface SaidInClause {
  readonly sentence: number;
  /** What is said anywhere in its sentence. */
  readonly around: ReadonlySet<Part>;
  readonly parts: Set<Part>;
}

function fault(parts: readonly Part[], requirement: Requirement, index: ReplyIndex): Found {
  /** By sentence, the parts said in it; by clause, those of the core. */
  const said = new Map<number, Set<Part>>();
  const saidInClause = new Map<number, SaidInClause>();
  const dangers = parts.filter(({ isCore, terms }) => isCore && terms.some((term) => WARNING_TERMS.has(term)));
  // "Not dangerous to wait" denies the danger alone.
  const isDenied = ({ isCore }: Part): boolean => isCore && requirement.advisesAgainst;
  const mustBeDenied = new Set((dangers.length > 0 ? dangers : parts).filter(isDenied));
  const isVague = parts.some(({ isCore, terms }) => isCore && terms.some((term) => OF_ANYTHING.has(term)));
  for (const part of parts) {
    for (const posting of doingTerms(part).flatMap((term) =>
      term === SOMETHING_NAMED && isVague ? [] : index.of(term),
    )) {
      if (!blames(posting, part, requirement, mustBeDenied.has(part))) continue;
      const { sentence, clause } = posting;
      const around = (said.get(sentence) ?? new Set()).add(part);
      said.set(sentence, around);
      if (!part.isCore) continue;
      const known = saidInClause.get(clause) ?? { sentence, around, parts: new Set() };
      known.parts.add(part);
      saidInClause.set(clause, known);
    }
  }
  let found = NOTHING;
  const core = parts.filter(
    ({ isNeeded, terms }) => isNeeded && !(requirement.isTaking && terms.every((term) => TAKING.has(term))),
  );
  const companions = parts.filter(({ isCompanion }) => isCompanion);
  const spokenOf = new Set(index.of(THIRD_PERSON).map(({ sentence }) => sentence));
  for (const { sentence, around, parts: coreSaid } of saidInClause.values()) {
    if (!core.every((part) => coreSaid.has(part))) continue;
    if (!companions.every((part) => around.has(part) || spokenOf.has(sentence))) continue;
    const share = shareOf(parts, (part) => around.has(part));
    if (share > found.share) found = { share, sentences: [index.sentences[sentence]].flatMap((one) => one ?? []) };
  }
  return found;
}

function blames(posting: Posting, part: Part, requirement: Requirement, mustBeDenied: boolean): boolean {
  const { asks, advisesAgainst, namesCondition, isClaim, isHedged, isTaking } = requirement;
  if (asks || posting.asked) return asks && posting.asked;
  if (posting.reported || (posting.conditional && !namesCondition)) return false;
  if (posting.hedged && isClaim && !isHedged) return false;
  if (posting.leads && isClaim && part.isCore && !isTaking) return false;
  if (isTaking && part.isCore && !posting.advising) return false;
  if (!isClaim && !advisesAgainst && posting.warned) return false;
  if (mustBeDenied) return posting.negated || (posting.warned && !isClaim);
  return !posting.negated || advisesAgainst;
}
