import { familyOf, type HostileText } from './hostile-text';

const PAIRS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  'JSON lists': ['[', ']'],
  'JSON objects': ['{"a":', '}'],
  'JSON in JSON': ['{"message":{"content":[', ']}}'],
  parentheses: ['(', ')'],
  braces: ['{', '}'],
  'angle brackets': ['<', '>'],
  'quotation marks': ['“', '”'],
  'HTML blocks': ['<div>', '</div>'],
  'HTML inline': ['<b><i>', '</i></b>'],
  'HTML tables': ['<table><tr><td>', '</td></tr></table>'],
  'HTML lists': ['<ul><li>', '</li></ul>'],
  'HTML quotes': ['<blockquote>', '</blockquote>'],
  'SVG groups': ['<svg><g>', '</g></svg>'],
  'XML elements': ['<turn n="1">', '</turn>'],
  comments: ['<!--', '-->'],
  'code fences': ['```\n', '\n```'],
  'markdown links': ['[a](', ')'],
  'markdown images': ['![', '](a)'],
  'markdown emphasis': ['*a **b ', '** *'],
  templates: ['{{', '}}'],
  isolates: ['\u2067', '\u2069'],
  embeddings: ['\u202b', '\u202c'],
};

const INDENTED: Readonly<Record<string, (depth: number) => string>> = {
  'markdown lists': (depth) => `${'  '.repeat(depth)}- a`,
  'block quotes': (depth) => `${'>'.repeat(depth)} a`,
  YAML: (depth) => `${' '.repeat(depth)}a:`,
};

/** Structures inside themselves, closed and left open. */
export function nesting(): HostileText[] {
  const texts: Record<string, string> = {};
  for (const [name, [open, close]] of Object.entries(PAIRS)) {
    texts[`10,000 ${name}`] = `${open.repeat(10_000)}Rest.${close.repeat(10_000)}`;
    texts[`5,000 ${name}, never closed`] = open.repeat(5_000);
  }
  for (const [name, line] of Object.entries(INDENTED)) {
    texts[`500 ${name}`] = Array.from({ length: 500 }, (_, depth) => line(depth)).join('\n');
    texts[`10,000 ${name} on one line`] = line(10_000);
  }
  texts['entities that multiply'] = billionLaughs();
  return familyOf('nesting', texts);
}

function billionLaughs(): string {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE z [<!ENTITY l0 "ha">${entities.join('')}]><z>&l12;</z>`;
}
