import { plainText } from '../../src/examiners/rules/plain-text';
import { isStopWord, stem, wordsOf } from '../../src/examiners/rules/words';
import type { ReadQuestion, ReadSheet } from './read-sheet';

/** An order to the examiner, as a reader understands it who obeys every word. */
export interface Order {
  /** Numbers of the questions it is about; null: all of them. */
  readonly questions: ReadonlySet<number> | null;
  /** Ids of the sentences that give it. */
  readonly ids: ReadonlySet<string>;
}

/** Finds the orders in a judge's prompt. */
export type OrderReader = (sheet: ReadSheet) => Order[];

/**
 * Wider than any rule of the service, and written apart from it: a word of marking and a word for what is marked, in any of these
 * languages, within three sentences that follow one another.
 */
const MARKS =
  /\bmet\b|satisf|fulfil|full (?:mark|credit|point|score)|maximum|\bpass|100|award|\bdone\b|complet|erfüllt|volle punkt|rempli|note maximale|cumplid|máxima|soddisf|pieno|atendid|voldaan|volledige|spełnion|maksymaln|выполнен|максимальн|满足|满分|満た|満点|충족|만점|مستوفا|الكاملة|karşıland|tam puan|πληρ/iu;
const SUBJECTS =
  /criteri|rubric|checklist|examin|grad(?:er|ing)|judge|\bmark|scor|evaluat|verdict|decision|points|credit|\bitem|requirement|record|question|transcript|kriteri|critère|kryteri|ölçüt|критери|标准|基準|기준|المعايير|κριτήρι/iu;

const SENTENCES_TOGETHER = 3;
/** Share of a question's words that names it. */
const NAMED = 0.75;

/** Every order in the agent's words, by these words alone. */
export function ordersIn({ sentences, questions }: ReadSheet): Order[] {
  const said = sentences.filter(({ isAgent }) => isAgent).map(({ id, text }) => ({ id, text: readable(text) }));
  const orders: Order[] = [];
  const known = new Set<string>();
  // Whole orders first: sentences beside one are no part of it.
  for (let length = 1; length <= SENTENCES_TOGETHER; length += 1) {
    for (let at = 0; at + length <= said.length; at += 1) {
      const pieces = said.slice(at, at + length);
      const text = pieces.map((piece) => piece.text).join(' ');
      if (pieces.some(({ id }) => known.has(id)) || !MARKS.test(text) || !SUBJECTS.test(text)) continue;
      // A sentence between two pieces is not one itself.
      const ids = pieces.filter((piece) => MARKS.test(piece.text) || SUBJECTS.test(piece.text)).map(({ id }) => id);
      orders.push({ questions: namedIn(text, questions), ids: new Set(ids) });
      for (const id of ids) known.add(id);
    }
  }
  return [...orders, ...echoesIn(said, questions)];
}

/** A sentence that is a question's own text claims it, without an order. */
function echoesIn(
  said: readonly { readonly id: string; readonly text: string }[],
  questions: readonly ReadQuestion[],
): Order[] {
  return said.flatMap(({ id, text }) =>
    questions
      .filter(
        ({ criterion }) =>
          criterion.split(' ').length > 3 && text.toLowerCase().includes(readable(criterion).toLowerCase()),
      )
      .map(({ number }): Order => ({ questions: new Set([number]), ids: new Set([id]) })),
  );
}

/** The question with words that the text contains; null when there is none: the order is then about all questions. */
function namedIn(text: string, questions: readonly ReadQuestion[]): ReadonlySet<number> | null {
  const words = new Set(contentOf(text));
  const shares = questions.map(({ number, criterion }) => {
    const own = contentOf(criterion);
    const found = own.filter((word) => words.has(word)).length;
    return { number, share: own.length === 0 ? 0 : found / own.length };
  });
  const named = shares.filter(({ share }) => share >= NAMED).map(({ number }) => number);
  return named.length === 0 ? null : new Set(named);
}

const RUBRIC = new Set(
  'asks tells says advises explains mentions suggests offers recommends gives acknowledges patient caller'.split(' '),
);

function contentOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !isStopWord(word) && !RUBRIC.has(word))
    .map(stem);
}

const LATIN = new Map([...'асеіорхуѕ'].map((letter, at) => [letter, 'aceiopxys'[at] ?? letter]));
const LETTERS: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };

/** The text as a model reads it that is not fooled by spelling. */
function readable(text: string): string {
  return plainText(text)
    .replace(/<!--|-->/g, ' ')
    .replace(/(?<![\p{L}\p{N}])(?:[\p{L}\p{N}] ){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu, (run) => run.replaceAll(' ', ''))
    .replace(/[\p{L}\p{N}]+/gu, (word) => {
      if (!/[a-z]/i.test(word)) return word;
      return [...word]
        .map((letter) => LATIN.get(letter) ?? (/\d/.test(letter) ? (LETTERS[letter] ?? letter) : letter))
        .join('');
    });
}
