/**
 * Remembers message ids for a window of time, in two generations: when the newer one is a window old it becomes the older
 * and the older one is forgotten. Memory holds at most two windows of ids, and no sweep is needed.
 */
export class DedupeWindow {
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  private youngSince: number;

  constructor(
    private readonly windowMs: number,
    /** Beyond it the oldest are forgotten early: work is then delivered twice, which at-least-once allows. */
    private readonly maxIds = 200_000,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.youngSince = now();
  }

  /** True the first time an id is seen within the window; a repeat does not lengthen the window. */
  admit(id: string): boolean {
    const now = this.now();
    const seen = this.young.get(id) ?? this.old.get(id);
    if (seen !== undefined && now - seen < this.windowMs) return false;
    if (now - this.youngSince >= this.windowMs || this.young.size >= this.maxIds / 2) {
      this.old = this.young;
      this.young = new Map();
      this.youngSince = now;
    }
    this.young.set(id, now);
    return true;
  }
}
