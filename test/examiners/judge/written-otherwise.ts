import fc from 'fast-check';
import { sentenceSpans } from '../../../src/examiners/rules/sentence-spans';

/** Writes a reply otherwise, so that its words stay what they are to a reader. */
export interface Writing {
  readonly name: string;
  readonly write: (reply: string) => string;
}

const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\ufe0f',
  '\u200e',
  '\u200f',
  '\u034f',
] as const;
const BLANKS = ['  ', '\u00a0', '\u2009', '\u202f', '\u3000', '\t', ' \n', '\r\n', '\u2028'] as const;
const EMPHASIS = [
  ['**', '**'],
  ['*', '*'],
  ['_', '_'],
  ['***', '***'],
  ['`', '`'],
  ['~~', '~~'],
  ['<b>', '</b>'],
  ['<em class="x">', '</em>'],
  ['<span style="color:red">', '</span>'],
] as const;
const LINES = ['- ', '* ', '• ', '> ', '## ', '# ', '+ ', '1. ', '12) ', '– ', '| '] as const;

const sentencesOf = (reply: string): string[] => sentenceSpans(reply).map(({ start, end }) => reply.slice(start, end));

type Chosen = (at: number) => boolean;

const MARKUP = /(<[^<>]*>|&#?\w+;|!?\[|\]\([^()\s]*\))/;

/** Changes what is no markup: a tag in other letters is none. */
function besideMarkup(reply: string, change: (text: string) => string): string {
  return reply
    .split(MARKUP)
    .map((part) => (MARKUP.test(part) ? part : change(part)))
    .join('');
}

/** Changes the words for which `chosen` holds, in turn. */
function words(reply: string, chosen: Chosen, change: (word: string) => string): string {
  let at = 0;
  return besideMarkup(reply, (text) => text.replace(/\S+/g, (word) => (chosen(at++) ? change(word) : word)));
}

const everyNth: fc.Arbitrary<Chosen> = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(5)).map(
  ([step, from]) =>
    (at) =>
      at % step === from % step,
);

const always = (name: string, write: Writing['write']): fc.Arbitrary<Writing> => fc.constant({ name, write });

/** The letters at the beginning of a word; marks and brackets are left alone. */
const LETTERS = /^[\p{L}\p{M}\p{N}\p{Cf}]+(?:['’][\p{L}\p{M}\p{N}\p{Cf}]+)*/u;

/** Each of the ways; what they draw is where, and with what. */
export const WRITINGS: readonly fc.Arbitrary<Writing>[] = [
  fc.tuple(fc.constantFrom(...EMPHASIS), everyNth).map(([[before, after], chosen]) => ({
    name: `words in ${before}`,
    write: (reply) => words(reply, chosen, (word) => word.replace(LETTERS, `${before}$&${after}`)),
  })),
  fc.constantFrom(...EMPHASIS).map(([before, after]) => ({
    name: `sentences in ${before}`,
    write: (reply) =>
      sentencesOf(reply)
        .map((one) => `${before}${one}${after}`)
        .join(' '),
  })),
  fc.constantFrom(...LINES).map((mark) => ({
    name: `lines after ${mark}`,
    write: (reply) =>
      sentencesOf(reply)
        .map((one) => `${mark}${one}`)
        .join('\n'),
  })),
  always('paragraphs of HTML', (reply) =>
    sentencesOf(reply)
      .map((one) => `<p>${one}</p>`)
      .join(''),
  ),
  always('line breaks of HTML', (reply) => sentencesOf(reply).join('<br>')),
  always('a list of HTML', (reply) => `<ul><li>${sentencesOf(reply).join('</li><li>')}</li></ul>`),
  always('paragraphs', (reply) => sentencesOf(reply).join('\n\n')),
  // A line of code is a sentence: one that goes on in the next line would be two.
  always('code', (reply) => {
    const lines = sentencesOf(reply).map((one) => one.replaceAll(/\s+/g, ' '));
    return `\`\`\`\n${lines.join('\n')}\n\`\`\``;
  }),
  fc.tuple(fc.constantFrom(...INVISIBLE), everyNth).map(([what, chosen]) => ({
    name: `${JSON.stringify(what)} within words`,
    write: (reply) => words(reply, chosen, (word) => [...word].join(what)),
  })),
  fc.constantFrom(...INVISIBLE).map((what) => ({
    name: `${JSON.stringify(what)} around`,
    write: (reply) => `${what}${reply}${what}`,
  })),
  fc.tuple(fc.constantFrom(...BLANKS), fc.nat(3)).map(([blank, from]) => ({
    name: `blanks of ${JSON.stringify(blank)}`,
    write: (reply) => {
      if (reply.includes('```')) return reply;
      let at = from;
      return reply.replace(/(?<=[^\s.!?:]) (?=[\p{L}\p{N}])/gu, () => ((at += 1) % 4 === 0 ? blank : ' '));
    },
  })),
  everyNth.map((chosen) => ({
    name: 'wide letters',
    write: (reply) => words(reply, chosen, (word) => word.replace(/[\w']/g, wide)),
  })),
  always('typographic quotation marks', (reply) => reply.replaceAll("'", '’').replaceAll('"', '”')),
  always('ligatures', (reply) => besideMarkup(reply, (text) => text.replaceAll('fi', 'ﬁ').replaceAll('fl', 'ﬂ'))),
  always('other hyphens and dots', (reply) => reply.replaceAll('-', '‑').replaceAll('...', '…')),
  always('decomposed letters', (reply) => reply.normalize('NFD')),
  always('mathematical letters', (reply) => besideMarkup(reply, (text) => text.replace(/[a-z]/g, mathematical))),
  everyNth.map((chosen) => ({
    name: 'links',
    // There is no link within a link.
    write: (reply) =>
      reply.includes('](')
        ? reply
        : words(reply, chosen, (word) => word.replace(/^[a-z]{3,}/i, '[$&](https://example.org/a)')),
  })),
  always('entities', (reply) => reply.replaceAll(' ', '&nbsp;').replaceAll("'", '&#39;')),
  always('an override of direction', (reply) => `\u202d${reply}\u202c`),
];

function wide(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
}

function mathematical(letter: string): string {
  return String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97);
}

/** Two of the ways, one after the other. */
export const twoWritings: fc.Arbitrary<Writing> = fc
  .tuple(fc.oneof(...WRITINGS), fc.oneof(...WRITINGS))
  .map(([first, second]) => ({
    name: `${first.name}, then ${second.name}`,
    write: (reply) => second.write(first.write(reply)),
  }));
