import { z } from 'zod';

/** The commands from one process of the bench to another. */
export interface Command {
  readonly type: string;
}

const commandMessage = z.object({ id: z.int(), command: z.unknown() });
export const answerMessage = z.object({ id: z.int(), error: z.string().optional(), value: z.unknown().optional() });

/** Answers the parent's commands until the parent disconnects; this process then ends. */
export function answerCommands<Accepted extends Command>(
  schema: z.ZodType<Accepted>,
  answer: (command: Accepted) => unknown,
): void {
  // Ctrl-C reaches the whole group: the parent cleans up and then disconnects.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    const { id, command } = commandMessage.parse(message);
    Promise.resolve()
      .then(() => answer(schema.parse(command)))
      .then(
        (value) => process.send?.({ id, value }),
        (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
      );
  });
}
