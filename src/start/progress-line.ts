const WIDTH = 30;
const EVERY_MS = 100;

/** A bar on a terminal; nothing anywhere else. */
export class ProgressLine {
  private shownAt = 0;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  show(share: number, what: string): void {
    const now = performance.now();
    if (!this.terminal.isTTY || now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    const filled = Math.round(Math.min(1, share) * WIDTH);
    const percent = Math.floor(Math.min(1, share) * 100);
    this.terminal.write(`\r\u001b[K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${percent} % ${what}`);
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write('\r\u001b[K');
  }
}
