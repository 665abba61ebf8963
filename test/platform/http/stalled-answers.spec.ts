import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Response } from 'express';
import { compressAnswers } from '../../../src/platform/http/compressed-answers';
import { cutOffStalled } from '../../../src/platform/http/stalled-answers';

const STALL_MS = 1_000;
/** More than the buffers of any connection take. */
const LARGE = Buffer.alloc(48 * 1024 * 1024, 'a');
/** Text that compression makes little smaller. */
const DENSE = randomBytes(36 * 1024 * 1024).toString('base64');
const PIECE = LARGE.subarray(0, 256 * 1024);

let server: Server;
let port: number;
let answering: (response: Response) => void;
beforeAll(async () => {
  const app = express();
  app.use(cutOffStalled(STALL_MS));
  app.get('/compressed', compressAnswers(), (_request, response) => {
    answering(response);
    response.type('text').send(DENSE);
  });
  app.get('/whole', (_request, response) => {
    answering(response);
    response.send(LARGE);
  });
  app.get('/in-pieces', (_request, response) => {
    answering(response);
    Readable.from(Array.from({ length: LARGE.length / PIECE.length }, () => PIECE)).pipe(response);
  });
  app.get('/later', (_request, response) => void sleep(2 * STALL_MS).then(() => response.send('late')));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = Number(Object(server.address()).port);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function ask(...paths: readonly string[]): Socket {
  const socket = connect(port, '127.0.0.1');
  // Cut off by the other side.
  socket.on('error', () => undefined);
  socket.write(
    paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`).join(''),
  );
  return socket;
}

describe.each(['/whole', '/in-pieces'])('an answer: %s', (path) => {
  let begun: Promise<Response>;
  beforeEach(() => {
    begun = new Promise((resolve) => (answering = resolve));
  });

  test('of which the client takes nothing more is cut off', async () => {
    const socket = ask(path).pause();
    const response = await begun;
    await once(response, 'close');
    let taken = 0;
    socket.on('data', ({ length }) => (taken += length)).resume();
    await once(socket, 'close');
    expect(taken).toBeLessThan(LARGE.length);
  });

  test('that is taken slowly arrives whole', async () => {
    const socket = ask(path);
    let taken = 0;
    const since = performance.now();
    for await (const piece of socket as AsyncIterable<Buffer>) {
      taken += piece.length;
      // For longer than a client may stall.
      if (performance.now() - since < 3 * STALL_MS) await sleep(10);
      if (taken > LARGE.length) break;
    }
    expect(taken).toBeGreaterThan(LARGE.length);
    socket.destroy();
  });
});

test('a compressed answer of which the client takes nothing more is cut off', async () => {
  const begun = new Promise<Response>((resolve) => (answering = resolve));
  const socket = ask('/compressed').pause();
  await once(await begun, 'close');
  socket.destroy();
});

test('who waits for an answer is not cut off, also behind another answer', async () => {
  answering = () => undefined;
  const socket = ask('/whole', '/later', '/later');
  let tail = '';
  for await (const piece of socket as AsyncIterable<Buffer>) {
    tail = (tail + piece.toString('latin1')).slice(-2_000);
    if (tail.split('\r\n\r\nlate').length === 3) break;
  }
  expect(tail).toContain('\r\n\r\nlate');
  socket.destroy();
});
