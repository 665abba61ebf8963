import type { Notes } from '../../domain/conversation';
import type { SpanAttributes } from '../../platform/telemetry/tracing/tracing';

/**
 * The tokens that were counted, under the names of the GenAI conventions: our examiners', as they count or as notes keep it, or those that
 * OpenAI-compatible agents report (`prompt_tokens`). Nothing where nobody counted.
 */
export function tokenUsage(notes: unknown): SpanAttributes {
  if (!isNotes(notes)) return {};
  return {
    'gen_ai.usage.input_tokens': numberIn(notes, 'input_tokens', 'inputTokens', 'prompt_tokens'),
    'gen_ai.usage.output_tokens': numberIn(notes, 'output_tokens', 'outputTokens', 'completion_tokens'),
    'gen_ai.response.model': firstTextIn(notes, 'answered_by', 'answeredBy'),
  };
}

/** What stands under a name in notes, where that is notes again. */
export function notesIn(notes: Notes, name: string): Notes {
  const found = notes[name];
  return isNotes(found) ? found : {};
}

function numberIn(notes: Notes, ...names: readonly string[]): number | undefined {
  return names.map((name) => notes[name]).find((found) => typeof found === 'number');
}

function firstTextIn(notes: Notes, ...names: readonly string[]): string | undefined {
  const lists = names.map((name) => notes[name]).filter((found) => Array.isArray(found));
  return lists.flat().find((found) => typeof found === 'string');
}

function isNotes(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
