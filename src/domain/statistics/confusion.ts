/**
 * What two raters decided about the same things, counted: `counts[row · k + column]` of k categories, the row the first rater's decision,
 * the column the second's.
 */
export type Confusion = ArrayLike<number>;

/** A coefficient; where it is not defined, in a sentence why. */
export interface Coefficient {
  readonly value: number | null;
  readonly reason: string | null;
}

const NOTHING = undefinedBecause('Nothing was rated by both.');

export function undefinedBecause(reason: string): Coefficient {
  return { value: null, reason };
}

/** How many things were rated. */
export function ratedIn(table: Confusion): number {
  let sum = 0;
  for (let cell = 0; cell < table.length; cell += 1) sum += table[cell] ?? 0;
  return sum;
}

/** The share of decisions that are the same. */
export function rawAgreement(table: Confusion): Coefficient {
  const { rated, agreed } = sumsOf(table);
  return rated === 0 ? NOTHING : defined(agreed / rated);
}

/**
 * Agreement beyond what raters with these habits reach by chance, (a − e) / (1 − e) with e the sum of the products of both raters' shares.
 * Where nearly everything falls into one category it is low although nearly all agree; `gwetsAc1` is shown beside it for that reason.
 *
 * Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960) 37–46; for the
 * paradox A. R. Feinstein and D. V. Cicchetti, "High agreement but low kappa", Journal of Clinical Epidemiology 43 (1990) 543–549.
 */
export function cohensKappa(table: Confusion): Coefficient {
  const { rated, agreed, rows, columns } = sumsOf(table);
  if (rated === 0) return NOTHING;
  if (rows.some((row, category) => row === rated && columns[category] === rated)) {
    return undefinedBecause('Both gave one and the same decision throughout: κ divides by nothing.');
  }
  const chance = rows.reduce((sum, row, category) => sum + row * (columns[category] ?? 0), 0) / rated ** 2;
  return defined((agreed / rated - chance) / (1 - chance));
}

/**
 * Agreement beyond chance where chance is what raters who guess would reach: e = Σ π(1 − π) / (k − 1), π the mean of both raters' shares of a
 * category. It stays high where nearly all agree on one category.
 *
 * Source: K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement", British Journal of
 * Mathematical and Statistical Psychology 61 (2008) 29–48.
 */
export function gwetsAc1(table: Confusion): Coefficient {
  const { rated, agreed, rows, columns } = sumsOf(table);
  if (rated === 0) return NOTHING;
  const shares = rows.map((row, category) => (row + (columns[category] ?? 0)) / (2 * rated));
  const chance = shares.reduce((sum, share) => sum + share * (1 - share), 0) / (rows.length - 1);
  return defined((agreed / rated - chance) / (1 - chance));
}

/**
 * The mean F1 of these categories, 2·tp / (2·tp + fp + fn) each: every category counts the same, however rare. The first rater is taken as
 * right, though F1 is the same the other way round.
 *
 * Source: C. J. van Rijsbergen, "Information retrieval" (1979), chapter 7; macro averages as scikit-learn's `f1_score` has them.
 */
export function macroF1(table: Confusion, categories: readonly number[]): Coefficient {
  const { rated, rows, columns, diagonal } = sumsOf(table);
  if (rated === 0) return NOTHING;
  let sum = 0;
  for (const category of categories) {
    const given = (rows[category] ?? 0) + (columns[category] ?? 0);
    if (given === 0) return undefinedBecause('Neither ever gave one of the decisions that it is the mean of.');
    sum += (2 * (diagonal[category] ?? 0)) / given;
  }
  return defined(sum / categories.length);
}

/**
 * Of what the first rater gave one of these categories, the share that the second did too: the second one's sensitivity for them, and,
 * asked of all other categories, its specificity.
 */
export function shareFound(table: Confusion, categories: readonly number[], none: string): Coefficient {
  const size = sizeOf(table);
  let [given, found] = [0, 0];
  for (const row of categories) {
    for (let column = 0; column < size; column += 1) {
      const count = table[row * size + column] ?? 0;
      given += count;
      if (categories.includes(column)) found += count;
    }
  }
  return given === 0 ? undefinedBecause(none) : defined(found / given);
}

function defined(value: number): Coefficient {
  return { value, reason: null };
}

function sizeOf(table: Confusion): number {
  return Math.round(Math.sqrt(table.length));
}

interface Sums {
  readonly rated: number;
  readonly agreed: number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly diagonal: readonly number[];
}

function sumsOf(table: Confusion): Sums {
  const size = sizeOf(table);
  const [rows, columns, diagonal] = [zeros(size), zeros(size), zeros(size)];
  let [rated, agreed] = [0, 0];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const count = table[row * size + column] ?? 0;
      rated += count;
      rows[row] = (rows[row] ?? 0) + count;
      columns[column] = (columns[column] ?? 0) + count;
      if (row !== column) continue;
      agreed += count;
      diagonal[row] = count;
    }
  }
  return { rated, agreed, rows, columns, diagonal };
}

function zeros(size: number): number[] {
  return new Array<number>(size).fill(0);
}
