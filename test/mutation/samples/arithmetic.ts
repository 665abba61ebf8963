/** Small faults are put into this by test/mutation/mutation.spec.ts. */
export function larger(one: number, other: number): number {
  return one > other ? one : other;
}

export function countTo(most: number): number {
  let count = 0;
  while (count < most) count += 1;
  return count;
}

let known: number | undefined;

/** Worked out once for a process. */
export function answer(): number {
  return (known ??= 6 * 7);
}

export function neverCalled(): number {
  return 1 - 1;
}

export const WHEN_LOADED = 2 + 2;
