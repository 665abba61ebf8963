import { get, type IncomingMessage } from 'node:http';
import { answerCommands } from './commands';
import { crowdCommand, type Gathered } from './subscriber-crowd';

/** Connections opened at once. */
const PARALLEL = 100;

interface Heard {
  readonly at: number;
  subscribers: number;
  lastAt: number;
}

let size = 0;
/** By the text of the event's number. */
let heard = new Map<string, Heard>();
let streams: Promise<void>[] = [];

async function open(url: string, subscribers: number): Promise<void> {
  size = subscribers;
  heard = new Map();
  streams = [];
  for (let opened = 0; opened < subscribers; opened += PARALLEL) {
    await Promise.all(Array.from({ length: Math.min(PARALLEL, subscribers - opened) }, () => subscribe(url)));
  }
}

/** Resolves with the first bytes. */
function subscribe(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      response.once('data', () => resolve());
      streams.push(readAll(response));
    });
    request.on('error', reject);
  });
}

/** Looks for turns in the text without parsing it: a thousand readers share one processor with what is measured. */
function readAll(response: IncomingMessage): Promise<void> {
  let rest = '';
  response.setEncoding('latin1');
  response.on('data', (text: string) => {
    const now = Date.now();
    const messages = (rest + text).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) if (message.includes('"transcript_update"')) note(message, now);
  });
  return new Promise((resolve) => response.once('close', resolve));
}

function note(message: string, now: number): void {
  const id = message.slice(0, message.indexOf('\n'));
  const known = heard.get(id);
  if (known === undefined) {
    const at = /"at":"([^"]+)"/.exec(message)?.[1] ?? '';
    heard.set(id, { at: Date.parse(at), subscribers: 1, lastAt: now });
    return;
  }
  known.subscribers += 1;
  known.lastAt = now;
}

async function gather(): Promise<Gathered> {
  await Promise.all(streams);
  const all = [...heard.values()];
  const complete = all.filter(({ subscribers }) => subscribers === size);
  return { delays: complete.map(({ at, lastAt }) => lastAt - at), incomplete: all.length - complete.length };
}

answerCommands(crowdCommand, (command): unknown => {
  switch (command.type) {
    case 'open':
      return open(command.url, command.subscribers);
    case 'gather':
      return gather();
  }
});
