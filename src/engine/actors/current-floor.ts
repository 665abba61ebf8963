import type { HeldFloor } from '../../agents';

/** Who has the floor of a call at this moment, kept in memory for those who look on. */
export class CurrentFloor {
  /** Null before the call and after it. */
  private held: (Omit<HeldFloor, 'forMs'> & { readonly since: number }) | null = null;
  private isOver = false;
  private readonly followers = new Set<() => void>();

  get now(): HeldFloor | null {
    if (this.held === null) return null;
    const { since, ...floor } = this.held;
    return { ...floor, forMs: performance.now() - since };
  }

  /** Calls back on every change from now on; the returned function ends that. */
  follow(follower: () => void): () => void {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  hold({ forMs, ...floor }: HeldFloor): void {
    // Sound goes on for a moment after a call was ended.
    if (!this.isOver) this.change({ ...floor, since: performance.now() - forMs });
  }

  /** The call is over: neither has the floor any more. */
  end(): void {
    this.isOver = true;
    if (this.held !== null) this.change(null);
  }

  private change(held: CurrentFloor['held']): void {
    this.held = held;
    for (const follower of this.followers) follower();
  }
}
