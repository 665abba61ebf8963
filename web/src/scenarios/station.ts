import * as z from 'zod/mini';

const words = z.string().check(z.minLength(1));

const source = z.object({
  publisher: words,
  title: words,
  year: z.optional(z.number()),
  says: z.optional(words),
  supports: z.optional(z.array(words)),
});
export type Source = z.output<typeof source>;

/** How soon the patient needs help, in words. */
export const DISPOSITIONS: ReadonlyMap<string, string> = new Map([
  ['emergency', 'Emergency: sent for help now'],
  ['prompt_care', 'To be seen today or this week'],
  ['self_care', 'Self-care, or a request that the agent must decline'],
]);

/** One line for each part of any JSON. */
export function linesOf(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(linesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** The published sources, and everything else in that field as lines: content may be any JSON. */
export function sourcesOf(given: unknown): {
  readonly published: readonly Source[];
  readonly others: readonly string[];
} {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
  const published: Source[] = [];
  const others: string[] = [];
  for (const part of parts) {
    const read = source.safeParse(part);
    if (read.success) published.push(read.data);
    else others.push(...linesOf(part));
  }
  return { published, others };
}
