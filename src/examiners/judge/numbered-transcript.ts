import type { Turn } from '../../domain';
import { sentenceSpans } from '../rules/sentence-spans';
import { visibleText } from '../rules/plain-text';
import { addressedAmong } from './addressed-to-examiner';
import type { Unread } from './examination-record';
import type { NumberedSentence } from './marking-request';

export interface NumberingRequest {
  readonly transcript: readonly Turn[];
  /** Their texts. An agent has no way to know these words: one that says them is addressing the examiner. */
  readonly criteria: readonly string[];
}

export interface NumberedTranscript {
  /** In the order of the conversation. */
  readonly sentences: readonly NumberedSentence[];
  readonly unread: readonly Unread[];
}

/** The most that a judge reads of one conversation; of longer messages, the beginning and the end. */
const MOST_CHARACTERS = 400_000;
const MOST_SENTENCES = 20_000;

/** Gives the sentences of a conversation their ids, and finds those that address the examiner. */
export function numberTranscript({ transcript, criteria }: NumberingRequest): NumberedTranscript {
  const messages = transcript.flatMap(({ turn, patientMessage, agentMessage }): Message[] => [
    { speaker: 'patient', turn, text: patientMessage },
    { speaker: 'agent', turn, text: agentMessage },
  ]);
  const most = shareOf(
    messages.map(({ text }) => text.length),
    MOST_CHARACTERS,
  );
  const read = messages.map((message) => readMessage(message, most));
  const mostSentences = shareOf(
    read.map(({ sentences }) => sentences.length),
    MOST_SENTENCES,
  );
  const within = read.map((message) => withinSentences(message, mostSentences));
  const sentences = within.flatMap((message) => message.sentences);
  const agent = sentences.filter(({ speaker }) => speaker === 'agent');
  const addressed = addressedAmong(
    agent.map(({ text }) => text),
    criteria,
  );
  const toExaminer = new Set(agent.filter((_, at) => addressed.has(at)).map(({ id }) => id));
  return {
    sentences: sentences.map((sentence) => ({ ...sentence, toExaminer: toExaminer.has(sentence.id) })),
    unread: within.flatMap(({ speaker, turn, leftOut }) =>
      speaker === 'agent' && leftOut > 0 ? [{ turn, characters: leftOut }] : [],
    ),
  };
}

interface Message {
  readonly speaker: 'agent' | 'patient';
  readonly turn: number;
  readonly text: string;
}

/** Whether it addresses the examiner is found for all sentences of the agent together. */
type ReadSentence = Omit<NumberedSentence, 'toExaminer'>;

interface ReadMessage extends Message {
  readonly sentences: readonly ReadSentence[];
  /** Characters. */
  readonly leftOut: number;
}

/** The most that each may have so that all together have at most `most`: what the smaller ones do not need is left to the larger. */
function shareOf(needs: readonly number[], most: number): number {
  let left = most;
  const ascending = [...needs].sort((one, other) => one - other);
  for (const [at, need] of ascending.entries()) {
    const share = left / (ascending.length - at);
    if (need > share) return Math.floor(share);
    left -= need;
  }
  return Infinity;
}

function readMessage({ speaker, turn, text }: Message, most: number): ReadMessage {
  const half = Math.floor(most / 2);
  const isWhole = text.length <= most;
  // The cut may fall inside a sentence and separate it from its "not": that sentence is left out.
  const first = isWhole ? pieces(text) : pieces(text.slice(0, half)).slice(0, -1);
  const last = isWhole ? [] : pieces(text.slice(-half)).slice(1);
  const read = [...first, ...last];
  const leftOut = isWhole ? 0 : text.length - read.reduce((sum, piece) => sum + piece.length, 0);
  const prefix = speaker === 'agent' ? 'a' : 'p';
  const sentences = read.map((piece, at): ReadSentence => ({
    id: `${prefix}${turn}.${at + 1}`,
    speaker,
    turn,
    text: piece,
    leftOutBefore: at === first.length ? leftOut : 0,
  }));
  return { speaker, turn, text, sentences, leftOut };
}

/** Keeps the first and the last sentences where there are too many. */
function withinSentences(message: ReadMessage, most: number): ReadMessage {
  const { sentences } = message;
  if (sentences.length <= most) return message;
  const half = Math.max(1, Math.floor(most / 2));
  const dropped = sentences.slice(half, -half).reduce((sum, { text }) => sum + text.length, 0);
  const leftOut = message.leftOut + dropped;
  const last = sentences.slice(-half).map((sentence, at) => ({ ...sentence, leftOutBefore: at === 0 ? leftOut : 0 }));
  return { ...message, sentences: [...sentences.slice(0, half), ...last], leftOut };
}

/** The sentences of a text that show anything on a screen; hidden letters become sentences of their own, apart from the text they were attached to. */
function pieces(text: string): string[] {
  return sentenceSpans(text)
    .flatMap(({ start, end }) => text.slice(start, end).split(HIDDEN_LETTERS))
    .map((piece) => piece.trim())
    .filter((piece) => visibleText(piece) !== '' || /^[\u{e0020}-\u{e007f}]/u.test(piece));
}

const HIDDEN_LETTERS = /([\u{e0020}-\u{e007f}]{3,1000})/u;
