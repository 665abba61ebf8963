import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamCommand } from './bare-stream';
import { answerCommands } from './commands';
import { listenOnLoopback } from './listen';
import { AGENT_ADVICE } from './stub-servers';

const subscribers = new Set<ServerResponse>();

const server = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(': hello\n\n');
  subscribers.add(response);
  response.on('close', () => subscribers.delete(response));
});

async function tell(events: number, everyMs: number): Promise<void> {
  for (let seq = 1; seq <= events; seq += 1) {
    await sleep(everyMs);
    const event = { type: 'transcript_update', turn: seq, agent_message: AGENT_ADVICE, at: new Date().toISOString() };
    const bytes = Buffer.from(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const subscriber of subscribers) subscriber.write(bytes);
  }
  for (const subscriber of subscribers) subscriber.end();
}

answerCommands(streamCommand, async (command): Promise<unknown> => {
  switch (command.type) {
    case 'serve':
      return { url: await listenOnLoopback(server) };
    case 'tell':
      return tell(command.events, command.everyMs);
  }
});
