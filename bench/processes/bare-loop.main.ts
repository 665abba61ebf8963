import { createServer, type ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { z } from 'zod';
import { monotonicMs } from '../clock';
import { loopCommand, type Conversed, type LoopCommand } from './bare-loop';
import { answerCommands } from './commands';
import { listenOnLoopback } from './listen';
import { AUDIT, JUDGE_MODEL, TESTER_MODEL } from './stub-servers';

/** As many connections as there are calls, as in the service. */
const http = new Agent({ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const subscribers = new Set<ServerResponse>();

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });
const modelAnswer = z.object({ content: z.array(z.object({ text: z.string() })) });

type Load = Extract<LoopCommand, { type: 'converse' }>;

async function converse(load: Load): Promise<Conversed> {
  const usageBefore = process.cpuUsage();
  const began = monotonicMs();
  let peakResidentBytes = process.memoryUsage.rss();
  const sampling = setInterval(() => {
    peakResidentBytes = Math.max(peakResidentBytes, process.memoryUsage.rss());
  }, 100);
  let left = load.conversations;
  const workers = Array.from({ length: load.concurrency }, async () => {
    while (left > 0) {
      left -= 1;
      await holdConversation(load);
    }
  });
  await Promise.all(workers);
  clearInterval(sampling);
  const { user, system } = process.cpuUsage(usageBefore);
  return { wallMs: monotonicMs() - began, processorMs: (user + system) / 1000, peakResidentBytes };
}

async function holdConversation({ agentUrl, messagesUrl, turns, withModels, client }: Load): Promise<void> {
  const call = client === 'fetch' ? postByFetch : post;
  const messages: { role: string; content: string }[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    // A scenario gives its patient's first words.
    const isWritten = withModels && turn > 1;
    const said = isWritten ? await askModel(call, messagesUrl, TESTER_MODEL, messages) : 'It began an hour ago.';
    messages.push({ role: 'user', content: said });
    const answer = await call(agentUrl, '/chat/completions', { messages });
    const content = completion.parse(JSON.parse(answer)).choices[0]?.message.content ?? '';
    messages.push({ role: 'assistant', content });
    tell(turn, content);
  }
  if (!withModels) return;
  await Promise.all([
    askModel(call, messagesUrl, JUDGE_MODEL, messages),
    askModel(call, messagesUrl, TESTER_MODEL, [{ role: 'user', content: AUDIT }, ...messages]),
  ]);
}

async function askModel(
  call: typeof postByFetch,
  messagesUrl: string,
  model: string,
  messages: readonly object[],
): Promise<string> {
  const answer = await call(messagesUrl, '/v1/messages', { model, max_tokens: 1_000, messages });
  return modelAnswer.parse(JSON.parse(answer)).content[0]?.text ?? '';
}

async function post(origin: string, path: string, body: object, signal?: AbortSignal): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await http.request({ origin, path, method: 'POST', headers, body: JSON.stringify(body), signal });
  return response.body.text();
}

async function postByFetch(origin: string, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.text();
}

/** Writes to every subscriber in the format of the service's event stream. */
function tell(turn: number, agentMessage: string): void {
  const data = JSON.stringify({ type: 'transcript_update', turn, agent_message: agentMessage });
  for (const subscriber of subscribers) subscriber.write(`id: ${turn}\ndata: ${data}\n\n`);
}

let hanging: AbortController[] = [];

function hang({ agentUrl, requests }: Extract<LoopCommand, { type: 'hang' }>): void {
  hanging = Array.from({ length: requests }, () => new AbortController());
  for (const { signal } of hanging) {
    post(agentUrl, '/chat/completions', { messages: [] }, signal).catch(() => undefined);
  }
}

function abort(): { abortedAt: number } {
  const abortedAt = monotonicMs();
  for (const request of hanging) request.abort();
  return { abortedAt };
}

async function callOnce({ agentUrl }: { agentUrl: string }): Promise<{ sentAt: number }> {
  const sentAt = monotonicMs();
  await post(agentUrl, '/chat/completions', { messages: [] });
  return { sentAt };
}

function stream(): Promise<string> {
  return listenOnLoopback(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      subscribers.add(response);
      response.on('close', () => subscribers.delete(response));
    }),
  );
}

answerCommands(loopCommand, async (command): Promise<unknown> => {
  switch (command.type) {
    case 'converse':
      return converse(command);
    case 'hang':
      return hang(command);
    case 'abort':
      return abort();
    case 'callOnce':
      return callOnce(command);
    case 'stream':
      return { url: await stream() };
  }
});
