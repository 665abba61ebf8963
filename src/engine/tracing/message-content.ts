/** Longer texts are cut: a collector refuses a batch that is too large, with everything that is in it. */
const LONGEST_TEXT = 20_000;

/** One message, as the GenAI conventions write `gen_ai.input.messages` and `gen_ai.output.messages`. */
export function messageContent(role: 'user' | 'assistant', text: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content: text.slice(0, LONGEST_TEXT) }] }]);
}
