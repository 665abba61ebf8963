import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { likesEverything } from '../../bench/attacks/answered-sheet';
import { readSheet } from '../../bench/attacks/read-sheet';
import { AUDIT_SYSTEM_PROMPT } from '../../src/examiners/tester/audit/audit-prompt';
import { completion } from '../fakes/openai-server';
import { sendJson, startHttpStub, type HttpStub, type StubRequest } from '../fakes/http-stub';
import type { PlannedRun } from './plan';

/** One call that a process of the service made to the world outside. Times are those of `Date.now()`. */
export interface OutsideCall {
  readonly to: 'agent' | 'model';
  /** Names the scenario run: the run's tag and the scenario's number, as in `h7r1x3`. */
  readonly scenario: string;
  /** Of a call to the agent: which message of the patient it carries. */
  readonly turn: number;
  readonly at: number;
  /** When it was answered or its connection was closed; null while it waits. */
  endedAt: number | null;
}

export const ADVICE = 'Please call an ambulance now.';

/** How the request for an audit of the patient begins. */
const AUDIT = AUDIT_SYSTEM_PROMPT.slice(0, 50);

/** What the agent says in every turn, and by which the patient's turns are counted. */
const REPLY = 'This is reply';

/** A patient that says a thing twice is not let through. */
const SAYINGS = [
  'The pain is still there.',
  'I am worried about what this could be.',
  'I do not know what else to tell you.',
  'Is there anything that I should do at home?',
  'I would rather not trouble the ambulance crew.',
  'I am not sure that I understand you.',
  'Thank you for listening to me.',
];

const content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((blocks) => blocks.map(({ text }) => text).join('')),
]);
const judgeRequest = z.object({ messages: z.array(z.object({ content })) });

/**
 * The world outside: an agent for every run (OpenAI's chat completions) and the model of tester and judge (Anthropic's
 * messages), which never fail. It remembers who called when, by the words that every scenario carries.
 */
export class World {
  readonly calls: OutsideCall[] = [];
  private readonly runs = new Map<string, PlannedRun>();

  private constructor(private readonly stub: HttpStub) {}

  static async start(): Promise<World> {
    const stub = await startHttpStub((response, request) => world.answer(response, request), { record: false });
    const world = new World(stub);
    return world;
  }

  /** Base address of the Messages API. */
  get modelsUrl(): string {
    return this.stub.origin;
  }

  /** Connections that are open now. */
  get openSockets(): number {
    return this.stub.openSockets;
  }

  get inFlight(): number {
    return this.stub.inFlight;
  }

  /** Base address of the agent of a run; from now on its calls are expected. */
  agentUrl(run: PlannedRun): string {
    this.runs.set(run.tag, run);
    return `${this.stub.origin}/${run.tag}/v1`;
  }

  callsOf(tag: string): OutsideCall[] {
    return this.calls.filter(({ scenario }) => scenario.startsWith(tag));
  }

  /** Forgets a run that was looked at. */
  forget(tag: string): void {
    this.runs.delete(tag);
    const left = this.calls.filter(({ scenario }) => !scenario.startsWith(tag));
    this.calls.splice(0, this.calls.length, ...left);
  }

  close(): Promise<void> {
    return this.stub.close();
  }

  private answer(response: ServerResponse, { path, body }: StubRequest): void {
    const text = JSON.stringify(body);
    const [scenario = '', tag = ''] = /\b(h\d+r\d+x)\d+\b/.exec(text) ?? [];
    const run = this.runs.get(tag);
    if (run === undefined) return sendJson(response, 404, { error: { message: 'Nobody knows this run.' } });
    const isAgent = path.startsWith(`/${tag}/`);
    const call: OutsideCall = {
      to: isAgent ? 'agent' : 'model',
      scenario,
      turn: isAgent ? text.split('"role":"user"').length - 1 : 0,
      at: Date.now(),
      endedAt: null,
    };
    this.calls.push(call);
    const isAudit = !isAgent && text.includes(AUDIT);
    const isJudge = !isAgent && !isAudit && text.includes('json_schema');
    const delayMs = isAgent ? run.agentMs : isJudge ? run.judgeMs : run.testerMs;
    const timer = setTimeout(() => {
      if (isAgent) sendJson(response, 200, completion(`${ADVICE} ${REPLY} ${call.turn} in ${scenario}.`));
      else if (isAudit) sendJson(response, 200, modelAnswer('{"faults":[]}'));
      else sendJson(response, 200, modelAnswer(isJudge ? verdictOn(body) : sayingAfter(text)));
    }, delayMs);
    response.once('close', () => {
      clearTimeout(timer);
      call.endedAt = Date.now();
    });
  }
}

/** Whoever asks twice for a message, after a crash for instance, gets the same one. */
function sayingAfter(request: string): string {
  const turns = request.split(REPLY).length - 1;
  return SAYINGS[turns % SAYINGS.length] ?? '';
}

function verdictOn(body: unknown): string {
  const { messages } = judgeRequest.parse(body);
  return JSON.stringify(likesEverything(readSheet(messages[0]?.content ?? '')));
}

function modelAnswer(text: string): object {
  return {
    id: 'msg_soak',
    type: 'message',
    role: 'assistant',
    model: 'soak',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}
