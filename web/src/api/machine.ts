import * as z from 'zod/mini';

export const kind = z.enum(['test_run', 'scenario_run']);
export type ActorKind = z.output<typeof kind>;

export const machine = z.object({
  kind,
  id: z.string(),
  initial: z.string(),
  states: z.array(
    z.object({
      id: z.string(),
      parent: z.nullable(z.string()),
      type: z.enum(['atomic', 'compound', 'final']),
      initial: z.nullable(z.string()),
      invokes: z.array(z.string()),
      tags: z.array(z.string()),
    }),
  ),
  transitions: z.array(
    z.object({
      source: z.string(),
      target: z.nullable(z.string()),
      event: z.string(),
      guard: z.nullable(z.string()),
      actions: z.array(z.string()),
    }),
  ),
});
export type Machine = z.output<typeof machine>;
