import { gzipSync } from 'node:zlib';
import {
  addedTexts,
  isPlaceholder,
  newMessages,
  replyInLines,
  linesOf,
  countMessage,
  isMessage,
  linesAfterMessage,
} from '../../src/agents/browser/page-reader';
import { oneLineOf } from '../../src/agents/browser/composer';
import { AnswerPath } from '../../src/agents/http/answer-path';
import { AnswerReader } from '../../src/agents/http/answer-reader';
import { dataIn } from '../../src/agents/stream-data';
import { PathBudget } from '../../src/agents/http/path-budget';
import { bodyTemplate } from '../../src/agents/http/request-template';
import { readHttpAgentConfig, UrlTemplate } from '../../src/agents/http/http-agent-config';
import { bodyText, utf8 } from '../../src/agents/outbound/agent-http-call';
import { jsonOf, refusal, unexpectedAnswer } from '../../src/agents/outbound/http-refusal';
import { joinFailure } from '../../src/agents/livekit/room-failure';
import { roomOfToken } from '../../src/agents/livekit/room-token';
import { CHAT_TOPIC, TRANSCRIPTION_TOPIC } from '../../src/agents/livekit/room-wire';
import { readMessage } from '../../src/agents/livekit/session-protocol';
import { SpokenText } from '../../src/agents/livekit/agent-speech';
import { readCompletion } from '../../src/agents/openai/openai-completion';
import { DataMessages } from '../../src/agents/pipecat/data-messages';
import { excerpt, readRtvi } from '../../src/agents/pipecat/rtvi-message';
import { RtviReply } from '../../src/agents/pipecat/rtvi-reply';
import { readStarted, terminalStartCode } from '../../src/agents/pipecat/start-answer';
import { replyText } from '../../src/agents/reply-text';
import { retryAfterMs } from '../../src/platform/outbound/http-call';
import { Secrets } from '../../src/agents/secrets/secrets';
import { readChat, saysCreditIsUsedUp, saysUnknownAssistant } from '../../src/agents/vapi/vapi-chat';
import type { TextReader } from './growth';

const secrets = Secrets.of({ api_key: 'sk-something-secret', headers: { 'X-Team': 'aaaaaaaaaaaa' } });
const response = (text: string, status = 500) => ({ status, headers: {}, text });
const attempted = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const answers = new AnswerReader(
  readHttpAgentConfig({
    url: 'http://127.0.0.1/',
    reply_path: "data.reply || join('', data[*].reply)",
    session_id_path: 'id',
    end_path: "contains(to_string(@), 'over')",
  }),
  secrets,
);
const streamOf = (texts: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  text: texts.map((text) => `data: ${JSON.stringify({ data: { reply: text } })}\n\n`).join(''),
});
const LINE = 40;
const MESSAGE = 'My chest hurts, what should I do?';

/** What providers read of agents, pages and rooms. */
export const AGENT_READERS: readonly TextReader[] = [
  ['replyText', (text) => attempted(() => replyText(text))],
  ['utf8', (text) => utf8(Buffer.from(text))],
  ['bodyText', (text) => bodyText(gzipSync(text), 'gzip', 4 * 1024 * 1024)],
  ['refusal', (text) => refusal(response(text), null, secrets, 0)],
  ['unexpectedAnswer', (text) => unexpectedAnswer(response(text), secrets)],
  ['jsonOf', (text) => attempted(() => jsonOf(response(text), secrets))],
  ['jsonOf a string', (text) => jsonOf(response(JSON.stringify(text)), secrets)],
  ['retryAfterMs', (text) => retryAfterMs({ 'retry-after': text, 'retry-after-ms': `1${text}` }, 0)],
  [
    'readCompletion',
    (text) => readCompletion({ id: text, choices: [{ message: { content: text }, finish_reason: text }] }),
  ],
  [
    'readCompletion in parts',
    (text) => readCompletion({ choices: [{ message: { content: pieces(text).map((piece) => ({ text: piece })) } }] }),
  ],
  [
    'readChat',
    (text) => readChat({ id: 'chat', output: pieces(text).map((content) => ({ role: 'assistant', content })) }),
  ],
  [
    'AnswerReader',
    (text) => answers.read({ ...response(JSON.stringify({ [text]: text, data: [{ reply: text }] }), 200) }),
  ],
  [
    'AnswerReader of what it does not find',
    (text) => answers.read(response(JSON.stringify({ [text]: text }), 200)).catch(String),
  ],
  ['AnswerReader of events', (text) => answers.read(streamOf(pieces(text)))],
  ['the events of any text', (text) => attempted(() => dataIn({ ...streamOf([]), text }))],
  [
    'AnswerPath of any text',
    (text) => attempted(() => AnswerPath.of(text.slice(0, 300)).in({ [text]: text }, new PathBudget())),
  ],
  ['a body’s template', (text) => attempted(() => bodyTemplate({ q: text, r: `{{message}}${text}` }, undefined))],
  ['a text’s template', (text) => attempted(() => bodyTemplate(text, 'text/xml'))],
  ['an address’ template', (text) => attempted(() => new UrlTemplate(`http://127.0.0.1/${text}?{{message}}`))],
  ['saysUnknownAssistant', (text) => saysUnknownAssistant({ message: text })],
  ['saysCreditIsUsedUp', (text) => saysCreditIsUsedUp({ message: text })],
  ['Secrets.remove', (text) => secrets.remove(text)],
  ['Secrets.of a body that is a text', (text) => Secrets.of({ body: `key=${text}&key=${pieces(text).join('&key=')}` })],
  ['Secrets.of', (text) => Secrets.of({ api_key: text, base_url: `http://127.0.0.1/?token=${text}` })],
  ['linesOf a page', (text) => linesOf([text])],
  ['replyInLines', (text) => replyInLines([text])],
  ['replyInLines of many', (text) => replyInLines(pieces(text))],
  ['isPlaceholder', isPlaceholder],
  ['addedTexts', (text) => addedTexts(pieces(text), pieces(`a${text}`))],
  ['newMessages', (text) => newMessages(pieces(text), pieces(`a${text}`))],
  ['isMessage', (text) => isMessage(text, MESSAGE)],
  ['isMessage of a long message', (text) => isMessage(text, text.slice(0, 9_000))],
  ['linesAfterMessage', (text) => linesAfterMessage(pieces(text), MESSAGE)],
  ['countMessage', (text) => countMessage(pieces(text), text.slice(0, 2_000))],
  ['oneLineOf', oneLineOf],
  ['SpokenText', (text) => spoken(pieces(text))],
  ['SpokenText in one stream', (text) => spoken([text])],
  ['SpokenText, asked at every stream', (text) => spokenAndAsked(pieces(text))],
  ['readMessage', (text) => readMessage(Buffer.from(text))],
  ['roomOfToken', (text) => roomOfToken(`${text}.${text}.${text}`)],
  ['joinFailure', (text) => joinFailure(text, secrets)],
  ['joinFailure with tokens', (text) => joinFailure('eyJ-'.repeat(text.length / 4), secrets)],
  ['excerpt', (text) => excerpt({ text })],
  ['readRtvi', (text) => readRtvi(Buffer.from(text))],
  ['RtviReply of sentences', (text) => rtvi(pieces(text), 'bot-output')],
  ['RtviReply of words', (text) => rtvi(pieces(text), 'bot-tts-text')],
  ['RtviReply of runs', (text) => rtviRuns(pieces(text))],
  ['DataMessages', (text) => noted(pieces(text))],
  ['readStarted', (text) => readStarted({ url: text, token: text, room: text })],
  ['terminalStartCode', (text) => terminalStartCode(400, { code: text })],
];

/** As many short pieces as the text is long: what streams comes so. */
function pieces(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += LINE) parts.push(text.slice(at, at + LINE));
  return parts;
}

function spoken(texts: readonly string[]): unknown {
  const speech = new SpokenText();
  texts.forEach((text, index) => say(speech, text, index));
  return speech.said(() => true);
}

function spokenAndAsked(texts: readonly string[]): unknown {
  const speech = new SpokenText();
  const isSpeaker = (): boolean => true;
  return texts.map((text, index) => {
    say(speech, text, index);
    return speech.isOpen(isSpeaker);
  });
}

function say(speech: SpokenText, text: string, index: number): void {
  const id = `stream ${index}`;
  speech.began(id, index % 2 === 0 ? CHAT_TOPIC : TRANSCRIPTION_TOPIC, 'agent', null);
  speech.add(id, text);
  speech.ended(id);
}

function rtvi(texts: readonly string[], type: string): unknown {
  const reply = new RtviReply('1', false);
  return texts.map((text, index) => {
    reply.hear({ type, id: null, data: { text, segment_id: index } });
    return reply.quietNeeded;
  });
}

function rtviRuns(texts: readonly string[]): unknown {
  const reply = new RtviReply('1', true);
  return texts.map((text) => {
    reply.hear({ type: 'bot-llm-started', id: null, data: {} });
    reply.hear({ type: 'bot-llm-text', id: null, data: { text } });
    reply.hear({ type: 'bot-llm-stopped', id: null, data: {} });
    return reply.quietNeeded;
  });
}

function noted(texts: readonly string[]): unknown {
  const messages = new DataMessages();
  for (const text of texts) {
    messages.note(Buffer.from(JSON.stringify({ label: 'rtvi-ai', type: 'bot-llm-text', data: { text } })), 'bot');
  }
  return messages.facts();
}
