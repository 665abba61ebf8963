import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  completionOf,
  fingerprintOf,
  modelList,
  patientMessagesOf,
  readChatRequest,
  RequestRefused,
} from './chat-requests';
import { replyTo } from './dialogue';
import { isReferenceModel, REFERENCE_AGENTS, type ReferenceAgent, type ReferenceModel } from './reference-agents';

export interface ClinicAgentOptions {
  /** 0, the default, asks the system for a free one. */
  readonly port?: number;
  readonly host?: '127.0.0.1';
  /** Milliseconds from request to reply, on average; each reply takes up to a quarter more or less. Default 150. */
  readonly latencyMs?: number;
}

export interface ClinicAgent {
  /** The `base_url` for an `openai` agent, with /v1. */
  readonly baseUrl: string;
  /** Stops it at once; requests in flight are cut off. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_LATENCY_MS = 150;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Starts the demo clinic agent, an agent to examine when no other is available: rules instead of a model, behind the
 * chat completions API. It is good at emergencies and careless about medication, and always replies the same in the same conversation.
 * It also answers as one of the reference agents when the request names its model (`REFERENCE_AGENTS`).
 * @throws Error with `code` EADDRINUSE when the port is taken
 */
export async function startClinicAgent(options: ClinicAgentOptions = {}): Promise<ClinicAgent> {
  const { port = 0, host = '127.0.0.1', latencyMs = DEFAULT_LATENCY_MS } = options;
  const server = createServer((request, response) => {
    answer(request, response, latencyMs).catch((error: unknown) => refuse(response, error));
  });
  const address = await listen(server, port, host);
  let closing: Promise<void> | undefined;
  return {
    baseUrl: `http://${host}:${address}/v1`,
    close: () => (closing ??= stop(server)),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Of this process alone: worker processes share the ports of their servers otherwise.
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, latencyMs: number): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  if (path === '/v1/models') {
    allow('GET', request);
    return send(response, 200, modelList());
  }
  if (path !== '/v1/chat/completions') throw new RequestRefused(404, `There is nothing at ${path}.`);
  allow('POST', request);
  const chat = readChatRequest(await bodyOf(request));
  const patientMessages = patientMessagesOf(chat);
  if (patientMessages.length === 0) throw new RequestRefused(400, 'messages: no message of a user.', 'messages');
  await pause(latencyMs * variation(fingerprintOf(chat)), response);
  const reply = await agentOf(chat.model);
  send(response, 200, completionOf(chat, reply(patientMessages), new Date()));
}

const references = new Map<ReferenceModel, ReferenceAgent>();

/** A reference agent when the request names its model; else the clinic agent, for any model name. */
async function agentOf(model: string | undefined): Promise<ReferenceAgent> {
  if (model === undefined || !isReferenceModel(model)) return replyTo;
  const known = references.get(model) ?? (await REFERENCE_AGENTS[model]());
  references.set(model, known);
  return known;
}

function allow(method: string, request: IncomingMessage): void {
  if (request.method !== method) throw new RequestRefused(405, `Use ${method} here.`);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RequestRefused(413, 'The conversation is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A factor from 0.75 to 1.25, the same for the same conversation. */
function variation(fingerprint: string): number {
  return 0.75 + (Number.parseInt(fingerprint.slice(0, 4), 16) / 0xffff) * 0.5;
}

/** Ends early, with an AbortError, when the client disconnects. */
async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await sleep(milliseconds, undefined, { signal: gone.signal });
  } finally {
    response.off('close', leave);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) return;
  const refusal = error instanceof RequestRefused ? error : new RequestRefused(500, 'The clinic agent failed.');
  // The unread rest of a body must not be taken for the next request.
  response.setHeader('connection', 'close');
  send(response, refusal.status, refusal.body);
}
