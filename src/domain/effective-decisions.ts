import type { Decision } from './rubric';

/** One for each criterion of the rubric, in its order. */
export interface GivenDecisions {
  /** As the reviewer wrote it. */
  readonly reviewer: string;
  /** The name of the service key that wrote it; null on a service without keys. */
  readonly key_name: string | null;
  readonly role: 'reviewer' | 'adjudicator';
  readonly decisions: readonly Decision[];
}

export interface EffectiveDecisions {
  readonly decisions: readonly Decision[];
  /** Criteria on which reviewers differ and which no adjudicator has decided. */
  readonly disagreements: number;
}

const ASCENDING: readonly Decision[] = ['NOT MET', 'PARTIALLY MET', 'MET'];

/**
 * What reviews say together, whatever the order in which the reviewers came: the last adjudication, if there is one; else of each reviewer the
 * last review, and per criterion what more than half of them decided. Where none is, doubt earns no points and excuses no fault, as in the
 * judge's own vote: the lowest decision, or the gravest where points are negative.
 *
 * @param reviews oldest first; at least one
 * @param points of each criterion
 */
export function effectiveDecisions(reviews: readonly GivenDecisions[], points: readonly number[]): EffectiveDecisions {
  const adjudicated = reviews.findLast(({ role }) => role === 'adjudicator');
  if (adjudicated !== undefined) return { decisions: adjudicated.decisions, disagreements: 0 };
  const current = currentOf(reviews);
  let disagreements = 0;
  const decisions = points.map((worth, index) => {
    const given = current.map((review) => review.decisions[index] ?? 'NOT MET');
    if (new Set(given).size > 1) disagreements += 1;
    return settled(given, worth < 0);
  });
  return { decisions, disagreements };
}

/** The last review of each reviewer: a second one means a change of mind. Adjudications are not among them. */
export function currentOf<Review extends Pick<GivenDecisions, 'reviewer' | 'key_name' | 'role'>>(
  reviews: readonly Review[],
): Review[] {
  const last = new Map<string, Review>();
  for (const review of reviews) if (review.role === 'reviewer') last.set(reviewerOf(review), review);
  return [...last.values()];
}

/**
 * The writer of a review: the name of the key, which no other key has. Without keys there is only the reviewer's name, which
 * anybody may write.
 */
export function reviewerOf({ reviewer, key_name }: Pick<GivenDecisions, 'reviewer' | 'key_name'>): string {
  return key_name === null ? `name ${reviewerKey(reviewer)}` : `key ${key_name}`;
}

/** Names are typed by hand. */
export function reviewerKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

function settled(given: readonly Decision[], isFault: boolean): Decision {
  const most = ASCENDING.find((decision) => given.filter((one) => one === decision).length * 2 > given.length);
  if (most !== undefined) return most;
  const present = ASCENDING.filter((decision) => given.includes(decision));
  return (isFault ? present.at(-1) : present[0]) ?? 'NOT MET';
}
