import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { eventually } from '../../setup/eventually';

const GATE = join(__dirname, '../../../src/agents/browser/gate-program.ts');

/**
 * A browser by its pipes alone: it answers each command with its own name and arguments, floods when it is asked to, and ends with
 * a code when it is asked to.
 */
const BROWSER = `
  const { Socket } = require('node:net');
  const commands = new Socket({ fd: 3 });
  const messages = new Socket({ fd: 4 });
  const say = (message, then) => messages.write(JSON.stringify(message) + '\\0', then);
  let heard = '';
  commands.on('data', (chunk) => {
    heard += chunk;
    for (let end = heard.indexOf('\\0'); end !== -1; end = heard.indexOf('\\0')) {
      const { id, method } = JSON.parse(heard.slice(0, end));
      heard = heard.slice(end + 1);
      const text = 'x'.repeat(9 * 1024 * 1024);
      if (method === 'console') say({ method: 'Runtime.consoleAPICalled', params: { text: 'small' } });
      if (method === 'flood') say({ method: 'Page.anything', params: { text } });
      if (method === 'answer') say({ id, result: { text }, sessionId: 'AB' });
      else if (method === 'end') say({ id, result: {} }, () => process.exit(7));
      else say({ id, result: { args: process.argv.slice(1), pid: process.pid } });
    }
  });
  // A gate that a test kills leaves it behind.
  commands.on('close', () => setTimeout(() => process.exit(), 15000));
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
`;

const answer = z.looseObject({ id: z.number() });
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** The gate as a driver starts it, with what has come out of it. */
function start(program: string, args: readonly string[]) {
  const child = spawn(process.execPath, [GATE, program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  });
  started.push(child);
  const commands = child.stdio[3] as Writable;
  const output = child.stdio[4] as Readable;
  commands.on('error', () => undefined);
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const told = (): readonly unknown[] =>
    text
      .split('\0')
      .slice(0, -1)
      .map((message): unknown => JSON.parse(message));
  return {
    child,
    commands,
    told,
    async ask(id: number, method: string): Promise<unknown> {
      commands.write(`${JSON.stringify({ id, method })}\0`);
      const isOurs = (message: unknown) => answer.safeParse(message).data?.id === id;
      await eventually(() => expect(told().some(isOurs)).toBe(true));
      return told().find(isOurs);
    },
  };
}

describe('the program between a browser and its driver', () => {
  const startFake = () => start(process.execPath, ['-e', BROWSER, 'one', 'two words']);

  it('starts the browser with its arguments, and carries commands and answers', async () => {
    const gate = startFake();
    expect(await gate.ask(1, 'hello')).toMatchObject({ id: 1, result: { args: ['one', 'two words'] } });
    expect(await gate.ask(2, 'hello')).toMatchObject({ id: 2 });
  });

  it('keeps back what nobody listens to and what is too large', async () => {
    const gate = startFake();
    const error = { code: -32_000, message: expect.stringContaining('bytes') };
    expect(await gate.ask(1, 'console')).toMatchObject({ id: 1 });
    expect(await gate.ask(2, 'flood')).toMatchObject({ id: 2 });
    expect(await gate.ask(3, 'answer')).toEqual({ id: 3, error, sessionId: 'AB' });
    expect(await gate.ask(4, 'hello')).toMatchObject({ id: 4 });
    expect(gate.told()).toHaveLength(4);
  });

  it('ends with the code of the browser, and what that said last is heard', async () => {
    const gate = startFake();
    const ended = once(gate.child, 'exit');
    expect(await gate.ask(1, 'end')).toEqual({ id: 1, result: {} });
    expect(await ended).toEqual([7, null]);
  });

  it('ends when there is no such browser', async () => {
    const gate = start('/nowhere/chromium', []);
    expect(await once(gate.child, 'exit')).toEqual([127, null]);
  });

  it('ends a browser that does not listen when its driver has gone', async () => {
    const gate = startFake();
    const { result } = z.object({ result: z.object({ pid: z.number() }) }).parse(await gate.ask(1, 'hello'));
    const ended = once(gate.child, 'exit');
    gate.commands.destroy();
    await ended;
    expect(() => process.kill(result.pid, 0)).toThrow('ESRCH');
  });
});
