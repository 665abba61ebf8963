import { shortened } from '../output/harmless-text';

const MOST_SHOWN = 300;

/**
 * Somebody else's text as Markdown that shows it and nothing else: every sign that Markdown or HTML could read is escaped. A sign of
 * no width after @ keeps people from being called by what an agent says.
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
