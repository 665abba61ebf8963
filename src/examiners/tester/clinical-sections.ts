import { sentencesOf, withoutEnd } from '../rules/sentences';

/** A part of a document about one topic. */
export interface ClinicalSection {
  readonly heading: string | null;
  readonly sentences: readonly string[];
}

interface Block {
  readonly kind: 'heading' | 'paragraph' | 'item';
  readonly text: string;
  /** Begins the text, or after a blank line or a heading. */
  readonly apart: boolean;
}

const MARKDOWN_HEADING = /^#{1,6}\s/;
const MAX_HEADING = 200;
const NAMED_HEADING = /^(?:protocol|section|procedure|guideline|policy|chapter|case|scenario|appendix)\b[^.!?]{0,80}$/i;
const NUMBERED_HEADING = /^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+([^.!?]{3,80})$/;
const LIST_ITEM = /^(?:[-*•–]|\d{1,2}[.)]|[a-z][.)])\s+/;
/** Words that state a rule: a line with one of them is text, not a heading, however short. */
const RULE_WORD =
  /\b(?:must|never|always|should|shall|do not|don['’]t|avoid|ask|call|tell|give|advise|check|refer|ensure|make sure|confirm|warn|offer|stop|screen|assess)\b/i;
const LABEL = /^([\p{L}][\p{L}\p{N} ,/()'’-]{2,60}):\s+(?=\S)/u;
const MAX_INTRODUCTION = 120;

/**
 * Cuts a document into sections: by its headings if it has any, otherwise one per paragraph. A single heading at the top is the
 * title and divides nothing. List items are joined to the sentence that introduces them ("Staff must:" "ask about allergies").
 */
export function sectionsOf(text: string): ClinicalSection[] {
  const blocks = blocksOf(text);
  const byParagraph = blocks.slice(1).every(({ kind }) => kind !== 'heading');
  const sections: { heading: string | null; sentences: string[] }[] = [];
  let introduction = '';
  for (const { kind, text: block, apart } of blocks) {
    if (kind === 'heading') {
      sections.push({ heading: block, sentences: [] });
      introduction = '';
      continue;
    }
    const label = kind === 'paragraph' ? (LABEL.exec(block)?.[1] ?? null) : null;
    const heading = label !== null && !RULE_WORD.test(label) ? label : null;
    const current = sections.at(-1);
    const startsOwn =
      current === undefined ||
      (byParagraph && kind === 'paragraph' && apart && (current.sentences.length > 0 || heading !== null));
    const section = startsOwn ? { heading, sentences: [] } : current;
    if (startsOwn) sections.push(section);
    const body = heading !== null && startsOwn ? block.replace(LABEL, '') : block;
    if (kind === 'item') {
      addSentences(section, introduction === '' ? body : `${introduction} ${lowerFirst(body)}`);
      continue;
    }
    introduction = body.endsWith(':') && body.length <= MAX_INTRODUCTION ? body.slice(0, -1) : '';
    if (introduction === '') addSentences(section, body);
  }
  return sections.filter(({ sentences }) => sentences.length > 0);
}

/** Pushed one by one: there may be more than a call can take as arguments. */
function addSentences(section: { readonly sentences: string[] }, text: string): void {
  for (const sentence of sentencesOf(text)) section.sentences.push(sentence);
}

function blocksOf(text: string): Block[] {
  const blocks: (Omit<Block, 'text'> & { readonly lines: string[] })[] = [];
  let apart = true;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = raw.trim();
    if (line === '') {
      apart = true;
      continue;
    }
    const heading: string | null = apart ? headingOf(line) : markdownHeadingOf(line);
    const open = apart ? undefined : blocks.at(-1);
    if (heading !== null) blocks.push({ kind: 'heading', lines: [heading], apart });
    else if (LIST_ITEM.test(line)) blocks.push({ kind: 'item', lines: [line.replace(LIST_ITEM, '')], apart });
    else if (open === undefined || startsAnew(line, raw, open))
      blocks.push({ kind: 'paragraph', lines: [line], apart });
    else open.lines.push(line);
    apart = heading !== null;
  }
  return blocks.map(({ lines, ...block }) => ({ ...block, text: lines.join(' ') }));
}

/** After a list item: the introduction of another list, or a new sentence at the margin. Any other line continues the open block. */
function startsAnew(
  line: string,
  raw: string,
  { kind, lines }: Pick<Block, 'kind'> & { readonly lines: readonly string[] },
): boolean {
  if (kind !== 'item' || /^\s/.test(raw)) return false;
  return line.endsWith(':') || (/[.!?;]$/.test(lines.at(-1) ?? '') && /^\p{Lu}/u.test(line));
}

function markdownHeadingOf(line: string): string | null {
  if (!MARKDOWN_HEADING.test(line)) return null;
  const heading = withoutEnd(line.replace(MARKDOWN_HEADING, ''), '#').trim();
  return heading === '' || heading.length > MAX_HEADING ? null : heading;
}

function headingOf(line: string): string | null {
  const markdown = markdownHeadingOf(line);
  if (markdown !== null) return markdown;
  if (line.length > 90 || RULE_WORD.test(line)) return null;
  if (NAMED_HEADING.test(line)) return line.replace(/:$/, '');
  const numbered = NUMBERED_HEADING.exec(line)?.[1];
  if (numbered !== undefined) return numbered.replace(/:$/, '');
  if (LIST_ITEM.test(line)) return null;
  const isCapitals = /\p{Lu}{3}/u.test(line) && line === line.toUpperCase();
  const isTitle = /^[\p{Lu}\d][^.!?;,]{2,60}:?$/u.test(line);
  return isCapitals || isTitle ? line.replace(/:$/, '') : null;
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
