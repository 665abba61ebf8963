import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { completionOf, patientMessagesOf, readChatRequest } from '../../src/demo/chat-requests';
import { replyTo } from '../../src/demo/dialogue';
import { isReferenceModel, REFERENCE_AGENTS, type ReferenceAgent } from '../../src/demo/reference-agents';
import { listenOnLoopback } from '../processes/listen';

/** The agent that loses every fourth of its conversations at the fourth turn. */
export const FAILING = 'sample/failing';

/** Phrases that clinical agents add to their advice: with them a reply has a usual length, some 600 characters. */
const MANNERS =
  'I am an automated assistant of the clinic and cannot examine you, so please take what I write as general information that does not ' +
  'replace a consultation. I have noted what you told me so far, and somebody of the team can read it. If anything changes while we are ' +
  'writing, if you feel worse, or if you are not sure whether you understood me, please tell me right away so that we can look at it again. ' +
  'It helps me to know when it began, how it has developed since, and what you have tried already.';

export interface SampleAgent {
  /** The `base_url` for `openai` agents; the model names the agent that answers. */
  readonly baseUrl: string;
  /** Gives so many more replies and then keeps every request waiting, until this is set to Infinity. */
  replyOnly(replies: number): void;
  close(): void;
}

/** The reference agents and the demo agent, with replies as long as a language model's, without any delay. */
export async function startSampleAgent(): Promise<SampleAgent> {
  const known = new Map<string, ReferenceAgent>();
  const agentOf = async (model: string): Promise<ReferenceAgent> => {
    const agent = known.get(model) ?? (isReferenceModel(model) ? await REFERENCE_AGENTS[model]() : replyTo);
    known.set(model, agent);
    return agent;
  };
  let repliesLeft = Infinity;
  const kept: (() => void)[] = [];
  const server = createServer((request, response) => {
    const reply = (): void => void answer(request, response, agentOf).catch(() => response.writeHead(500).end());
    if (repliesLeft <= 0) return void kept.push(reply);
    repliesLeft -= 1;
    reply();
  });
  const address = await listenOnLoopback(server);
  return {
    baseUrl: `${address}/v1`,
    replyOnly: (replies) => {
      repliesLeft = replies;
      if (replies === Infinity) for (const reply of kept.splice(0)) reply();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  agentOf: (model: string) => Promise<ReferenceAgent>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const chat = readChatRequest(Buffer.concat(chunks).toString('utf8'));
  const said = patientMessagesOf(chat);
  const model = chat.model ?? '';
  const isLost = model === FAILING && said.length === 4 && (said[0] ?? '').length % 4 === 0;
  if (isLost) return void response.writeHead(500).end();
  const reply = `${(await agentOf(model))(said)} ${MANNERS}`;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(completionOf(chat, reply, new Date())));
}
