import { DECISIONS, type Decision } from '../../domain';
import { askJudge, inParts, type Asking, foilsFor } from './ask-judge';
import type { IndexedCriterion } from './checked-marks';
import type { CriterionDecision, NumberedSentence } from './marking-request';
import type { SeededRandom } from './seeded-random';
import { resolved, standing, type Ballot } from './vote';

/** A criterion that earns points, and the decision by which it does: one that names sentences of the agent. */
export interface Proven {
  readonly criterion: IndexedCriterion;
  readonly first: CriterionDecision;
}

export interface ProofReading {
  readonly asking: Ballot['asking'];
  /** All criteria of the rubric, and what was decided on each so far, by index. */
  readonly criteria: readonly IndexedCriterion[];
  readonly decided: ReadonlyMap<number, CriterionDecision>;
  readonly proven: readonly Proven[];
  /** The whole conversation. */
  readonly sentences: readonly NumberedSentence[];
  /** Something spoke against the first examination already: then no proof is read beside that of another criterion. */
  readonly isDoubted: boolean;
  readonly random: SeededRandom;
  readonly lanes: Lanes;
}

/**
 * Reads proofs a second time, by themselves: a judge that sees nothing else that the agent said cannot follow an order that
 * stands anywhere else. All of them in one call, or in one for every 12; what the second reading denies is decided by a third
 * that sees the proof of that criterion alone. A second reading never raises a decision.
 *
 * @returns the criteria of `proven`, decided, in their order
 * @throws JudgeError
 */
export async function readProofs(reading: ProofReading, signal: AbortSignal): Promise<CriterionDecision[]> {
  const { proven, isDoubted } = reading;
  const seconds = await readEach(reading, isDoubted ? apart(proven) : together(reading), signal);
  const denied = proven.filter(({ first }) => isLower(seconds.get(first.index), first));
  const thirds = await readEach(reading, apart(denied), signal);
  return proven.map(({ first }) => {
    const [second, third] = [seconds.get(first.index), thirds.get(first.index)];
    const read = [second, third].flatMap((one) => one ?? []);
    const votes = [...(first.votes ?? [first.decision]), ...read.map(({ decision }) => decision)];
    // What was voted on needed no further vote: this reading only looked whether the votes had been swayed by the sentences around the proof.
    if (third === undefined) return first.votes === undefined ? { ...first, votes } : first;
    const readings = [first, ...read];
    const decision = resolved(
      readings.map((one) => one.decision),
      false,
    );
    if (decision === null) throw new Error('Three readings came to no decision.');
    return standing(readings, decision, votes);
  });
}

/** The decisions of one reading of each, by criterion index. */
async function readEach(
  { asking, criteria, decided, sentences, random, lanes }: ProofReading,
  parts: readonly (readonly Proven[])[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, CriterionDecision>> {
  if (parts.length === 0) return new Map();
  const askings = parts.map((part): Asking => {
    const proofs = new Map(part.map((one) => [one.first.index, idsOf(one)]));
    const cited = new Set([...proofs.values()].flat());
    const own = part.map(({ criterion }) => criterion);
    const foils = foilsFor(criteria, decided, cited, random);
    const seen = inView(sentences, cited);
    return { ...asking, extent: 'proofs', criteria: own, foils, proofs, sentences: seen, random: random.fork() };
  });
  await asking.assureOwnership(signal);
  const asked = await sideBySide(askings, lanes, signal, askJudge);
  const firsts = new Map(parts.flat().map(({ first }) => [first.index, first]));
  return new Map(
    asked.flatMap(({ decisions }) => decisions.map((read) => [read.index, byItsProof(read, firsts.get(read.index))])),
  );
}

/** Cited sentences, and before each what the patient said last. */
function inView(sentences: readonly NumberedSentence[], cited: ReadonlySet<string>): NumberedSentence[] {
  const shown = new Set<NumberedSentence>();
  let heard: NumberedSentence | null = null;
  for (const sentence of sentences) {
    if (sentence.speaker === 'patient') heard = sentence;
    if (!cited.has(sentence.id)) continue;
    if (heard !== null) shown.add(heard);
    shown.add(sentence);
  }
  return [...shown];
}

/** This proof does not show what only the proof of another criterion shows, or no sentence at all. */
function byItsProof(read: CriterionDecision, first: CriterionDecision | undefined): CriterionDecision {
  const own = new Set(first?.evidence.map(({ id }) => id));
  if (read.decision === 'NOT MET' || read.evidence.some(({ id }) => own.has(id))) return read;
  const rationale = `The sentences that were named for it do not show it by themselves. ${read.rationale}`;
  return { ...read, decision: 'NOT MET', absence: false, evidence: [], rationale };
}

/** In one call if there are foils for it, or for no two either; else in two, of which each has foils in what the other is asked. */
function together({ proven, criteria, decided, random }: ProofReading): Proven[][] {
  const hasFoils = (part: readonly Proven[]): boolean => {
    return foilsFor(criteria, decided, new Set(part.flatMap(idsOf)), random.fork()).length > 0;
  };
  const parts = hasFoils(proven) ? [proven] : halves(proven);
  return (parts.every(hasFoils) ? parts : [proven]).flatMap((part) => inParts(part));
}

/** Two parts of about the same size without a sentence in common; the second is empty where there is no such division. */
function halves(proven: readonly Proven[]): Proven[][] {
  const one: Proven[] = [];
  const other: Proven[] = [];
  for (const cluster of clusters(proven)) (one.length <= other.length ? one : other).push(...cluster);
  return [one, other];
}

/** Puts criteria whose proofs have a sentence in common, directly or through others, into one cluster. */
function clusters(proven: readonly Proven[]): Proven[][] {
  return proven.reduce<Proven[][]>((found, one) => {
    const own = new Set(idsOf(one));
    const touched = found.filter((cluster) => cluster.some((other) => idsOf(other).some((id) => own.has(id))));
    return [...found.filter((cluster) => !touched.includes(cluster)), [...touched.flat(), one]];
  }, []);
}

function idsOf({ first }: Proven): string[] {
  return first.evidence.map(({ id }) => id);
}

/** Criteria with the same proof together, all others apart. */
function apart(proven: readonly Proven[]): Proven[][] {
  const groups = new Map<string, Proven[]>();
  for (const one of proven) {
    const key = idsOf(one).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => inParts(group));
}

function isLower(read: CriterionDecision | undefined, first: CriterionDecision): boolean {
  return read !== undefined && rankOf(read.decision) > rankOf(first.decision);
}

/** MET is 0. */
function rankOf(decision: Decision): number {
  return DECISIONS.indexOf(decision);
}

interface Lanes {
  /** How many items are worked on at a time. */
  readonly most: number;
  /** Awaited before an item that had to wait for another to finish: much may have happened in the meantime. */
  readonly beforeLater: (signal: AbortSignal) => Promise<void>;
}

/**
 * Does the work for all items, at most `most` at a time, and returns the results in their order. The first failure aborts the rest.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  { most, beforeLater }: Lanes,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  // Most judgements have one part: nothing waits, and there is nothing else to abort.
  if (items.length < 2) return Promise.all(items.map((item) => work(item, signal)));
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) stop.abort();
  const results: Result[] = [];
  const left = [...items.entries()];
  const workThrough = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, item] = next;
      if (at >= most) await beforeLater(stop.signal);
      results[at] = await work(item, stop.signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, workThrough));
    return results;
  } catch (error) {
    left.length = 0;
    // Only then: an abort makes an error with its stack, and after a success there is nothing to stop.
    stop.abort();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
