import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BrowserGate } from './browser-gate';

/**
 * Starts a browser and sits between it and its driver, which started this program in its place.
 * Usage: node gate-program PROGRAM ARGUMENT…, with the driver's commands on descriptor 3 and the browser's messages on 4.
 */
const END_WITHIN_MS = 5_000;

const [program = '', ...args] = process.argv.slice(2);
const commands = new Socket({ fd: 3, readable: true, writable: false });
const messages = new Socket({ fd: 4, readable: false, writable: true });
const browser = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'] });
const [, , , toBrowser, fromBrowser] = browser.stdio;

browser.once('error', () => process.exit(127));
// Its last output is still forwarded.
browser.once('close', (code) => messages.end(() => process.exit(code ?? 1)));
if (isDuplex(toBrowser) && isDuplex(fromBrowser)) {
  // A broken pipe is the end of one side; that side's own exit reports it.
  for (const pipe of [commands, messages, toBrowser, fromBrowser]) pipe.on('error', () => undefined);
  commands.pipe(toBrowser);
  fromBrowser.pipe(new BrowserGate()).pipe(messages, { end: false });
  // The driver is gone: a browser that still responds ends on its own then.
  commands.once('close', () => setTimeout(() => browser.kill('SIGKILL'), END_WITHIN_MS).unref());
}

function isDuplex(stream: unknown): stream is Duplex {
  return stream instanceof Socket;
}
