/** Remembers the newest ids, at most `limit` of them. */
export class RecentIds {
  private readonly ids = new Set<string>();

  constructor(private readonly limit: number) {}

  add(id: string): void {
    this.ids.delete(id);
    this.ids.add(id);
    if (this.ids.size <= this.limit) return;
    const [oldest] = this.ids;
    if (oldest !== undefined) this.ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }
}
