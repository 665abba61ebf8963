import { loadavg } from 'node:os';
import Table from 'cli-table3';

/** A table that is printed for the terminal, and again as Markdown for a page of the documentation. */
export class ReportTable {
  private readonly rows: string[][] = [];

  constructor(
    readonly title: string,
    private readonly headings: readonly string[],
  ) {}

  /** Prints each row at once too: a measurement takes minutes. */
  add(...cells: string[]): void {
    this.rows.push(cells);
    process.stderr.write(`  ${cells.join('  ')}\n`);
  }

  get terminal(): string {
    const table = new Table({ head: [...this.headings], style: { head: [], border: [], compact: true } });
    table.push(...this.rows);
    return `\n${this.title}\n${table.toString()}\n`;
  }

  get markdown(): string {
    const lines = [this.headings, this.headings.map(() => '---'), ...this.rows];
    return `\n${this.title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
  }
}

export function milliseconds(value: number): string {
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ms`;
}

/** The load of the machine in the last minute, the bench included. */
export function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
