/** A line of either text, or of both. */
export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** With more differences the search for the fewest is not worth its time: everything is shown as replaced. */
const MOST_DIFFERENCES = 1_000;

/**
 * The fewest lines to remove from one text and to insert in order to get the other (Myers, "An O(ND) difference algorithm", 1986).
 */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...linesOf('same', before.slice(0, start)),
    ...middleOf(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...linesOf('same', before.slice(before.length - end)),
  ];
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Of two texts that begin differently. */
function middleOf(before: readonly string[], after: readonly string[]): DiffLine[] {
  const steps = stepsOf(before, after);
  if (steps === null) return [...linesOf('old', before), ...linesOf('new', after)];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const reached = steps[count] ?? new Map<number, number>();
    const from = isDown(reached, x - y, count) ? x - y + 1 : x - y - 1;
    const fromX = reached.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: before[x] ?? '' });
    }
    if (x === fromX) lines.push({ kind: 'new', text: after[fromY] ?? '' });
    else lines.push({ kind: 'old', text: before[fromX] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}

/** How far each diagonal was reached before each difference; null when there are too many of them. */
function stepsOf(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number>[] | null {
  const steps: ReadonlyMap<number, number>[] = [];
  const reached = new Map<number, number>();
  for (let count = 0; count <= Math.min(MOST_DIFFERENCES, before.length + after.length); count += 1) {
    steps.push(new Map(reached));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = isDown(reached, diagonal, count)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && before[x] === after[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return steps;
    }
  }
  return null;
}

/** Whether the next step inserts a line of the second text, and does not remove one of the first. */
function isDown(reached: ReadonlyMap<number, number>, diagonal: number, count: number): boolean {
  if (diagonal === -count) return true;
  return diagonal !== count && (reached.get(diagonal - 1) ?? 0) < (reached.get(diagonal + 1) ?? 0);
}
