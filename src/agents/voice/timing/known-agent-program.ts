import type { z } from 'zod';
import type { KnownAgentEvent } from './known-agent-wire';

/** Tells the process that started this one; nothing once that has ended. */
export function report(event: KnownAgentEvent): void {
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined);
}

/**
 * Makes this process that of an agent of known delays: it begins with each command that its parent sends, tells why it failed, and ends
 * with its parent.
 */
export function runKnownAgent<Command>(commands: z.ZodType<Command>, begin: (command: Command) => Promise<void>): void {
  process.on('message', (message) => {
    const command = commands.safeParse(message);
    if (!command.success) return;
    begin(command.data).catch((error: unknown) =>
      report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    );
  });
  // Native libraries and open servers would keep the process alive for ever.
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => undefined);
}
