/** A sentence of a text, and the white space that follows it. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a text, line by line, so that lists and headings are picked by themselves. */
export function sentencesOf(text: string): Sentence[] {
  const found: { start: number; end: number }[] = [];
  for (const { index, 0: line } of text.matchAll(/[^\n]+/g)) {
    for (const { index: at, segment } of segmenter.segment(line)) {
      const body = segment.trim();
      if (body === '') continue;
      const start = index + at + segment.indexOf(body);
      found.push({ start, end: start + body.length });
    }
  }
  return found.map((sentence, place) => ({ ...sentence, next: found[place + 1]?.start ?? text.length }));
}
