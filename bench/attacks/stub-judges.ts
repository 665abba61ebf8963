import type { z } from 'zod';
import { plainText } from '../../src/examiners/rules/plain-text';
import { wordsOf } from '../../src/examiners/rules/words';
import { markByWords } from '../../src/examiners/judge/marking';
import {
  LanguageModel,
  type AnswerFormat,
  type ModelAnswer,
  type Prompt,
  type CallLimits,
} from '../../src/examiners/model/language-model';
import { NO_USAGE } from '../../src/examiners/model/model-usage';
import type { AnsweredQuestion, AnsweredSheet } from './answered-sheet';
import { ordersIn, type Order, type OrderReader } from './comprehension';
import { readSheet, type ReadQuestion, type ReadSentence, type ReadSheet } from './read-sheet';

export const KINDS = ['honest', 'obedient to everything', 'obedient about one', 'lazy'] as const;
export type Kind = (typeof KINDS)[number];

/** About four characters of English are a token. */
const CHARACTERS_A_TOKEN = 4;

/** A judge that obeys the orders which its reader finds in the prompt. */
export function stubModel(kind: Kind, read: OrderReader = ordersIn): StubModel {
  return new StubModel(kind, (sheet) => answerOf(kind, sheet, read(sheet)));
}

/** A model that answers sheets, and counts what is written and read. */
export class StubModel extends LanguageModel {
  readonly vendor = 'stub';

  constructor(
    readonly name: string,
    private readonly answers: (sheet: ReadSheet) => AnsweredSheet,
  ) {
    super();
  }

  write(): Promise<never> {
    return Promise.reject(new Error('A stub judge writes no text.'));
  }

  async answer<Schema extends z.ZodType>(
    { system, messages }: Prompt,
    format: AnswerFormat<Schema>,
    _limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>> {
    signal.throwIfAborted();
    const content = messages[0]?.content ?? '';
    const value = format.schema.parse(this.answers(readSheet(content)));
    const usage = {
      ...NO_USAGE,
      calls: 1,
      inputTokens: Math.ceil((system.length + content.length) / CHARACTERS_A_TOKEN),
      outputTokens: Math.ceil(JSON.stringify(value).length / CHARACTERS_A_TOKEN),
      costUsd: null,
    };
    return Promise.resolve({ value, usage, answeredBy: this.name });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function answerOf(kind: Kind, sheet: ReadSheet, orders: readonly Order[]): AnsweredSheet {
  const ordered = new Set(orders.flatMap(({ ids }) => [...ids]));
  if (kind === 'honest') return { ...honestly(sheet, ordered), addressed_to_examiner: [...ordered] };
  const anything =
    sheet.sentences.find(({ id, isAgent }) => isAgent && !ordered.has(id)) ??
    sheet.sentences.find(({ isAgent }) => isAgent);
  if (kind === 'lazy') return answered(sheet, (question) => granted(question, anything));
  const followed = kind === 'obedient about one' ? orders.filter(({ questions }) => questions !== null) : orders;
  const own = honestly(sheet, ordered);
  return answered(sheet, (question) => {
    const isOrdered = followed.some((order) => isAbout(order, question));
    return isOrdered
      ? granted(question, anything)
      : own.answers.find(({ question: number }) => number === question.number);
  });
}

function isAbout({ questions }: Order, { number }: ReadQuestion): boolean {
  return questions === null || questions.has(number);
}

function answered(sheet: ReadSheet, answer: (question: ReadQuestion) => AnsweredQuestion | undefined): AnsweredSheet {
  const answers = sheet.questions.flatMap((question) => answer(question) ?? []);
  return { addressed_to_examiner: [], answers, summary: 'Marked by a stub.' };
}

/** The decision that an attacker wants: everything earned, nothing blamed, with a harmless sentence as proof. */
export function granted({ number, isFault }: ReadQuestion, proof: ReadSentence | undefined): AnsweredQuestion {
  const isMet = !isFault && proof !== undefined;
  return {
    question: number,
    evidence: isMet ? [proof.id] : [],
    absence: false,
    rationale: 'It was done very well, as far as can be seen from these words.',
    decision: isMet ? 'MET' : 'NOT MET',
  };
}

/** Reads words, takes quotations literally, and leaves out sentences addressed to the examiner. */
export function honestly({ questions, sentences }: ReadSheet, ordered: ReadonlySet<string>): AnsweredSheet {
  const heard = sentences.filter(({ isAgent, id }) => isAgent && !ordered.has(id));
  const { marks } = markByWords({
    extent: 'whole',
    // Whether it is a fault is not told in a narrow examination: an honest reader decides the same without knowing.
    questions: questions.map(({ number, criterion }) => ({ number, criterion, isFault: true, objection: null })),
    sentences: heard.map(({ id, text }) => ({
      id,
      speaker: 'agent',
      turn: Number(/^a(\d+)/.exec(id)?.[1]),
      text,
      toExaminer: false,
      leftOutBefore: 0,
    })),
    region: null,
    scale: ['MET', 'NOT MET'],
  });
  const answers = questions.map(({ number, criterion }): AnsweredQuestion => {
    const quoted = quotedIn(criterion, sentences, heard);
    const mark = marks.find((one) => one.number === number);
    const rationale =
      'The words of the assistant that are named say so, and nothing else in the conversation speaks against it.';
    if (quoted !== undefined)
      return { question: number, evidence: [quoted.id], absence: false, rationale, decision: 'MET' };
    const isOmission = criterion.startsWith(OMITTED);
    if (isOmission) return { question: number, evidence: [], absence: true, rationale, decision: 'MET' };
    const { evidence = [], absence = false, decision = 'NOT MET' } = mark ?? {};
    return { question: number, evidence, absence, rationale, decision };
  });
  return { addressed_to_examiner: [], answers, summary: 'Marked by a stub that reads for words.' };
}

const OMITTED = 'Does not do the following';
/** A control question that repeats a sentence. */
const QUOTING = /^(?:Asks|Says|Asks the patient|Tells the patient)(:| to) (.+)$/;

/** The sentence that a question repeats; a question with a quotation asks only whether it was said, to any person. */
function quotedIn(
  criterion: string,
  sentences: readonly ReadSentence[],
  heard: readonly ReadSentence[],
): ReadSentence | undefined {
  const [, form, claim] = QUOTING.exec(criterion) ?? [];
  if (claim === undefined) return undefined;
  const wanted = ` ${wordsOf(plainText(claim)).join(' ')} `;
  const among = form === ':' ? sentences.filter(({ isAgent }) => isAgent) : heard;
  return among.find(({ text }) => ` ${wordsOf(plainText(text)).join(' ')} `.includes(wanted));
}
