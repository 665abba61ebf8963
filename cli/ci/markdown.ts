import { shortened } from '../output/harmless-text';

const MOST_SHOWN = 300;

/**
 * Text from others as Markdown that only shows it: every character that Markdown or HTML could interpret is escaped. A zero-width
 * character after @ keeps an agent's words from notifying people.
 */
export function markdownText(text: string): string {
  return shortened(text, MOST_SHOWN)
    .replace(/[\\`*_{}[\]()#+\-.!|~:/=$^]/g, (sign) => `\\${sign}`)
    .replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('@', '@&#8203;');
}

/** A table; the cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
