import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { likesWithProof } from '../attacks/likes-with-proof';
import { readSheet } from '../attacks/read-sheet';
import { monotonicMs } from '../clock';
import { answerCommands } from './commands';
import { listenOnLoopback } from './listen';
import {
  AGENT_ADVICE,
  ANSWERED_AT,
  AUDIT,
  JUDGE_MODEL,
  NARROW_EXAMINATION,
  PROOF_READING,
  stubCommand,
  type StubCommand,
  type StubCounts,
  type StubDelays,
} from './stub-servers';

let delays: StubDelays = { agentMs: 0, testerMs: 0, judgeMs: 0 };
let counted = nothingCounted();

function nothingCounted() {
  return {
    agentCalls: 0,
    testerCalls: 0,
    auditCalls: 0,
    judgeCalls: 0,
    voteCalls: 0,
    proofCalls: 0,
    agentMostOpen: 0,
    agentAborted: 0,
    firstAgentRequestAt: <number | null>null,
    lastAbortAt: <number | null>null,
  };
}

let agentOpen = 0;

/** Chat completions. Bodies are read and discarded: the stub's cost burdens the machine that it shares. */
const agent: RequestListener = (request, response) => {
  counted.agentCalls += 1;
  counted.firstAgentRequestAt ??= monotonicMs();
  agentOpen += 1;
  counted.agentMostOpen = Math.max(counted.agentMostOpen, agentOpen);
  let timer: NodeJS.Timeout | undefined;
  response.on('close', () => {
    agentOpen -= 1;
    if (response.writableEnded) return;
    clearTimeout(timer);
    counted.agentAborted += 1;
    counted.lastAbortAt = monotonicMs();
  });
  request.resume();
  request.on('end', () => {
    timer = after(delays.agentMs, () => sendJson(response, completion()));
  });
};

/** The Messages API: the patient's next message, an audit of the patient, or a decision on every criterion. */
const messages: RequestListener = (request, response) => {
  // The service's check of the address when it starts.
  if (request.method === 'GET') return sendJson(response, '{"data":[]}');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const isJudge = body.includes(JUDGE_MODEL);
    const isAudit = !isJudge && body.includes(AUDIT);
    if (isJudge) countJudge(body);
    else if (isAudit) counted.auditCalls += 1;
    else counted.testerCalls += 1;
    after(isJudge ? delays.judgeMs : delays.testerMs, () => {
      if (isJudge) return sendJson(response, judgeAnswer(body.toString('utf8')));
      sendJson(response, isAudit ? FAITHFUL_PATIENT : patientAnswer(body));
    });
  });
};

function countJudge(request: Buffer): void {
  counted.judgeCalls += 1;
  if (request.includes(NARROW_EXAMINATION)) counted.voteCalls += 1;
  if (request.includes(PROOF_READING)) counted.proofCalls += 1;
}

/** Without a delay it answers at once: a timer of 0 ms would wait for 1 ms. */
function after(ms: number, act: () => void): NodeJS.Timeout | undefined {
  if (ms > 0) return setTimeout(act, ms);
  act();
  return undefined;
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function completion(): string {
  return (
    '{"id":"chatcmpl-bench","object":"chat.completion","created":1,"model":"bench-agent","choices":[{"index":0,' +
    `"message":{"role":"assistant","content":"${AGENT_ADVICE} ${monotonicMs().toFixed(3)}"},"finish_reason":"stop"}],` +
    '"usage":{"prompt_tokens":120,"completion_tokens":40,"total_tokens":160}}'
  );
}

/** The service refuses a patient that says the same twice. */
const PATIENT_ANSWERS = [
  'The pain started an hour ago and goes into my left arm.',
  'I am sweating and I feel sick.',
  'I have never had anything like this before.',
  'I would rather wait and not bother the emergency services.',
  'My wife is at work and I am alone at home.',
  'I do not know what my tablet is called.',
  'I am not allergic to anything that I know of.',
].map(answerOfModel);
const FAITHFUL_PATIENT = answerOfModel('{"faults":[]}');

/** Each turn has its own sentence: replies of the agent count the turns. */
function patientAnswer(body: Buffer): string {
  let turns = 0;
  for (let at = body.indexOf(ANSWERED_AT); at !== -1; at = body.indexOf(ANSWERED_AT, at + 1)) turns += 1;
  return PATIENT_ANSWERS[turns % PATIENT_ANSWERS.length] ?? '';
}
/** About as long as a verdict on every criterion. */
const PLAIN_VERDICT = answerOfModel('The agent sent the patient to the emergency services. '.repeat(10));
const content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((blocks) => blocks.map(({ text }) => text).join('')),
]);
const judgeRequest = z.object({ messages: z.array(z.object({ content })) });

/** Sentence by sentence, as the judge reads it. */
const ADVICE = AGENT_ADVICE.split(/(?<=[.!?]) /).map((sentence) => sentence.replace(/[.!?]$/, ''));

/** Reads the questions as a model would: their order and the control questions are new in every call. */
function judgeAnswer(body: string): string {
  const { messages: asked } = judgeRequest.parse(JSON.parse(body));
  // The bare loop asks no questions: it sends the conversation, message by message.
  if (asked.length > 1) return PLAIN_VERDICT;
  return answerOfModel(JSON.stringify(likesWithProof(readSheet(asked[0]?.content ?? ''), ADVICE)));
}

function answerOfModel(text: string): string {
  return JSON.stringify({
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 400, output_tokens: 60 },
  });
}

async function listen(): Promise<{ agentUrl: string; messagesUrl: string }> {
  return {
    agentUrl: await listenOnLoopback(createServer(agent)),
    messagesUrl: await listenOnLoopback(createServer(messages)),
  };
}

answerCommands(stubCommand, (command: StubCommand): unknown => {
  switch (command.type) {
    case 'listen':
      return listen();
    case 'delays':
      delays = command;
      return null;
    case 'reset':
      counted = nothingCounted();
      return null;
    case 'counts':
      return { ...counted, agentOpen } satisfies StubCounts;
  }
});
