import type { Exchange } from '../../machines/conversation';
import { DECISIONS, type Evidence } from '../../machines/rubric';
import { EvidenceCheck } from './evidence-check';
import type { CriterionDecision, IndexedCriterion } from './judge';

/** A rationale is a sentence or two; a longer one is cut. */
const MAX_RATIONALE_CHARACTERS = 2_000;

/**
 * Takes a judge's decisions and keeps those that hold: one for each criterion, well formed, and MET or PARTIALLY MET only with
 * a quote that is in the transcript. What does not hold is objected to; nothing doubtful ever becomes MET.
 */
export class DecisionReview {
  private readonly accepted = new Map<number, CriterionDecision>();
  /** Decisions whose only fault is their evidence. */
  private readonly unproven = new Map<number, CriterionDecision>();
  private readonly evidenceCheck: EvidenceCheck;
  /** Criteria that name what the agent must not do: their points are negative. */
  private readonly faults: ReadonlySet<number>;
  private open: ReadonlyMap<number, string>;

  constructor(criteria: readonly IndexedCriterion[], transcript: readonly Exchange[]) {
    this.evidenceCheck = new EvidenceCheck(transcript);
    this.faults = new Set(criteria.filter(({ points }) => points < 0).map(({ index }) => index));
    this.open = new Map(criteria.map(({ index }) => [index, 'No decision was given.']));
  }

  /** What is wrong, by criterion index. */
  get objections(): ReadonlyMap<number, string> {
    return this.open;
  }

  /** Takes an answer; decisions on criteria that are not open, or not in the rubric, are ignored. */
  take(decisions: readonly CriterionDecision[]): void {
    const byIndex = new Map<number, CriterionDecision[]>();
    for (const decision of decisions) {
      const known = byIndex.get(decision.index);
      if (known === undefined) byIndex.set(decision.index, [decision]);
      else known.push(decision);
    }
    const objections = new Map<number, string>();
    for (const index of this.open.keys()) {
      const objection = this.review(index, byIndex.get(index) ?? []);
      if (objection !== null) objections.set(index, objection);
    }
    this.open = objections;
  }

  /**
   * The decisions that stand, by index. What lacks evidence to the end is NOT MET, but for a fault: to count that as not
   * committed would be praise that nobody gave. It is left out, as is what has no usable decision.
   */
  settle(): CriterionDecision[] {
    const deniable = [...this.unproven.values()].filter(({ index }) => !this.faults.has(index));
    const unmet = deniable.map(({ index, decision, rationale }): CriterionDecision => {
      const reason = `Counted as not met: the judge said ${decision}, but quoted nothing that is in the transcript at the turn it named.`;
      return { index, decision: 'NOT MET', rationale: `${reason} ${rationale}`.trim(), evidence: [] };
    });
    return [...this.accepted.values(), ...unmet].sort((one, other) => one.index - other.index);
  }

  private review(index: number, given: readonly CriterionDecision[]): string | null {
    const [decision] = given;
    if (decision === undefined) return 'No decision was given.';
    if (given.length > 1) return 'More than one decision was given; give exactly one.';
    if (!DECISIONS.includes(decision.decision)) return `The decision must be one of ${DECISIONS.join(', ')}.`;
    // Until here an earlier decision that lacked evidence stands as what the judge said last.
    this.unproven.delete(index);
    const rationale = rationaleOf(decision);
    const evidence = this.evidenceCheck.verified(quotesOf(decision));
    const checked: CriterionDecision = { index, decision: decision.decision, rationale, evidence };
    if (decision.decision !== 'NOT MET' && evidence.length === 0) {
      this.unproven.set(index, checked);
      return 'No quote occurs word for word in the transcript at the turn it names; quote the transcript exactly, or decide NOT MET.';
    }
    this.accepted.set(index, checked);
    return null;
  }
}

/** Adapters promise these shapes; what a model said is not trusted to keep the promise. */
function quotesOf({ evidence }: CriterionDecision): Evidence[] {
  if (!Array.isArray(evidence)) return [];
  return evidence.filter(
    (entry: Partial<Evidence> | null): entry is Evidence =>
      typeof entry?.quote === 'string' && typeof entry.turn === 'number',
  );
}

/** Fit for PostgreSQL: well formed and without NUL. */
function rationaleOf({ rationale }: CriterionDecision): string {
  if (typeof rationale !== 'string') return '';
  return rationale.slice(0, MAX_RATIONALE_CHARACTERS).replaceAll('\0', '').toWellFormed();
}
