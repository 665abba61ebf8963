/** The place of one sentence in a text: UTF-16 offsets, end exclusive. Surrounding white space is left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The longest span; longer sentences are cut, at white space where there is some. */
export const LONGEST_SPAN = 1_000;

/**
 * The segmenter's time grows with the square of the number of sentences in a text (175,000 of them take a minute): it is given pieces
 * of this length.
 */
const WINDOW = 4_000;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
/** The start of a line that begins a new block: a list item, a heading, a quotation, a table row, a rule. */
const BLOCK_START =
  /^[\t \u00a0]*(?:[-*+•‣◦▪·–—]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s|#{1,6}\s|>|\||(?:-{3,}|\*{3,}|={3,})\s*$)/i;
const FENCE = /^[\t ]*(?:```|~~~)/;
/** A full stop after one of these does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|vs|approx|no|e\.g|i\.e|etc|[a-z]|\d{1,2})\.["'”’)\]*_]*$/i;

/**
 * The sentences of a text, in their order, as a reader of Markdown would tell them apart: blocks first (an item of a list, a
 * heading, a line of code, a paragraph whose lines are only wrapped), then sentences by the Unicode rules of `Intl.Segmenter`.
 * Takes time in proportion to the text, whatever it is.
 */
export function sentenceSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const block of blocksOf(text)) takeBlock(text, block, spans);
  return spans;
}

interface Block extends Span {
  /** A line of code is one sentence. */
  readonly isCode: boolean;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { start: number; end: number } | null = null;
  let isCode = false;
  const close = (): void => {
    if (open !== null) blocks.push({ ...open, isCode: false });
    open = null;
  };
  for (const { start, end } of linesOf(text)) {
    // Markup shows at the beginning of a line, however long it is.
    const head = text.slice(start, Math.min(end, start + 40));
    if (FENCE.test(head)) {
      close();
      isCode = !isCode;
    } else if (isCode) {
      blocks.push({ start, end, isCode: true });
    } else if (head.trim() === '') {
      close();
    } else if (open === null || BLOCK_START.test(head)) {
      close();
      open = { start, end };
    } else {
      open = { start: open.start, end };
    }
  }
  close();
  return blocks;
}

function* linesOf(text: string): Generator<Span> {
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(LINE_END)) {
    yield { start, end: index };
    start = index + mark.length;
  }
  yield { start, end: text.length };
}

function takeBlock(text: string, { start, end, isCode }: Block, into: Span[]): void {
  if (isCode) return take(text, start, end, into);
  // A wrapped line continues, but the segmenter would end a sentence at every line end: each is blanked, so that offsets stay.
  let from = start;
  while (from < end) {
    const to = Math.min(end, from + WINDOW);
    const window = text.slice(from, to).replace(LINE_END, blank);
    const ends = endsWithTags(window);
    // The last sentence of a window may continue beyond it.
    if (to < end && ends.length > 1) ends.pop();
    let begin = 0;
    for (const stop of ends) {
      take(text, from + begin, from + stop, into);
      begin = stop;
    }
    from += begin;
  }
}

const blank = (mark: string): string => ' '.repeat(mark.length);

/** The tags of HTML; anything else in angle brackets is part of the text. */
const TAG =
  /<\/?(?:a|abbr|b|blockquote|br|code|del|div|em|font|h[1-6]|hr|i|ins|li|mark|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,300})?\/?>|&nbsp;/gi;
/** A paragraph, an item, a line break: the text before and the text after are separate sentences. */
const BREAKING_TAG = /^<\/?(?:blockquote|br|hr|p|pre|div|li|ul|ol|table|td|tr|th|h\d)\b/i;

const OPENING_TAG = /^<(?!\/|br\b|hr\b)/i;

/** Sentence ends, with HTML tags read as white space; tags that break a line end a sentence too. */
function endsWithTags(piece: string): number[] {
  const breaks: number[] = [];
  const plain = piece.replace(TAG, (tag, at: number) => {
    if (BREAKING_TAG.test(tag)) breaks.push(OPENING_TAG.test(tag) ? at : at + tag.length);
    return blank(tag);
  });
  const ends = sentenceEnds(plain);
  if (breaks.length === 0) return ends;
  return [...new Set([...ends, ...breaks])].filter((end) => end > 0).sort((one, other) => one - other);
}

/** End offsets of the sentences in a piece without line ends; the last one is its length. */
function sentenceEnds(piece: string): number[] {
  const ends: number[] = [];
  for (const { index, segment } of segmenter.segment(piece)) {
    const before = piece.slice(Math.max(0, index - 12), index).trimEnd();
    // A sentence continues after "Dr.", and closing marks alone ("**") belong to what they close.
    if (ends.length > 0 && (ABBREVIATION.test(before) || CLOSERS.test(segment))) ends.pop();
    // By the Unicode rules a sentence continues before a lower-case letter; but chat is written without capitals.
    for (const { index: at, 0: stop } of segment.matchAll(STOP)) {
      const said = piece.slice(Math.max(0, index + at - 12), index + at + stop.trimEnd().length);
      if (!ABBREVIATION.test(said)) ends.push(index + at + stop.length);
    }
    ends.push(index + segment.length);
  }
  return ends;
}

const CLOSERS = /^[\s"'”’)\]*_`~.!?…»]*$/;
const STOP = /[.!?…]["'”’)\]*_`]*\s+(?=\S)/g;

/** Adds the span without the white space around it, cut to lengths that can be quoted. */
function take(text: string, start: number, end: number, into: Span[]): void {
  let from = start;
  while (from < end) {
    const to = end - from > LONGEST_SPAN ? cutAt(text, from) : end;
    const piece = text.slice(from, to);
    const body = piece.trim();
    if (body.replace(TAG, '').trim() !== '') {
      const lead = piece.length - piece.trimStart().length;
      into.push({ start: from + lead, end: from + lead + body.length });
    }
    from = to;
  }
}

/** Where a sentence that is too long is cut: after the last white space, or else between two characters. */
function cutAt(text: string, from: number): number {
  const limit = from + LONGEST_SPAN;
  for (let at = limit; at > from + LONGEST_SPAN / 2; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) return at;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return splitsPair ? limit - 1 : limit;
}
