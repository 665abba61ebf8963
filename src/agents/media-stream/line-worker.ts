import { parentPort, type MessagePort } from 'node:worker_threads';
import { HeldLine } from './held-line';
import type { LineCommand, NamedLineEvent } from './line-wire';

/** Carries the lines that are commanded through a port, and reports of them there. */
export function carryLines(port: MessagePort): void {
  const lines = new Map<string, HeldLine>();
  const report = (event: NamedLineEvent): void => {
    const transferred = event.type === 'sound' ? [event.samples.buffer] : [];
    port.postMessage(
      event,
      transferred.filter((buffer) => buffer instanceof ArrayBuffer),
    );
  };
  port.on('message', (command: LineCommand) => {
    const { line } = command;
    if (command.type === 'ring') {
      const held = new HeldLine(command.plan, (event) => report({ ...event, line }));
      lines.set(line, held);
      void held.ring();
      return;
    }
    const held = lines.get(line);
    if (command.type === 'hangUp') {
      lines.delete(line);
      if (held === undefined) report({ type: 'left', line });
      else void held.hangUp();
      return;
    }
    if (command.type === 'hush') return held?.hush();
    held?.carryOut(command);
    report({ type: 'called', line, call: command.call });
  });
}

// The program of the thread that carries lines: nothing else runs in it, so that no other work makes a frame late.
if (parentPort !== null) carryLines(parentPort);
