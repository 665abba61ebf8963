import { zodResponseFormat } from 'openai/helpers/zod';
import type OpenAI from 'openai';
import type { z } from 'zod';
import type { AnswerFormat } from './language-model';

/** Ways to ask a server for an answer of a given shape, best first: as a response schema, as a tool's parameters, or in words alone. */
export const SHAPES = ['schema', 'tool', 'words'] as const;
export type Shape = (typeof SHAPES)[number];

type Fields = Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, 'response_format' | 'tools' | 'tool_choice'>;

export interface ShapedRequest {
  readonly fields: Fields;
  /** Appended to the system prompt. */
  readonly instruction: string;
}

const NAME = 'answer';

export const UNSHAPED: ShapedRequest = { fields: {}, instruction: '' };

/** What is added to a request so that the answer has the shape. */
export function shapedRequest(shape: Shape, format: AnswerFormat<z.ZodType>): ShapedRequest {
  const { responseFormat, schema } = derivedFrom(format);
  switch (shape) {
    case 'schema':
      return { fields: { response_format: responseFormat }, instruction: '' };
    case 'tool':
      return {
        fields: {
          tools: [
            { type: 'function', function: { name: NAME, description: 'Takes the whole answer.', parameters: schema } },
          ],
          tool_choice: { type: 'function', function: { name: NAME } },
        },
        instruction: '',
      };
    case 'words':
      return {
        fields: {},
        instruction:
          '\n\nAnswer with one JSON document and nothing else: no words before or after it. It fits this JSON schema:\n' +
          JSON.stringify(schema),
      };
  }
}

interface Derived {
  readonly responseFormat: OpenAI.ResponseFormatJSONSchema;
  readonly schema: Record<string, unknown>;
}

/** Deriving the JSON schema costs more than a call. */
const derived = new WeakMap<AnswerFormat<z.ZodType>, Derived>();

function derivedFrom(format: AnswerFormat<z.ZodType>): Derived {
  const known = derived.get(format);
  if (known !== undefined) return known;
  const { type, json_schema } = zodResponseFormat(format.schema, NAME);
  const made = { responseFormat: { type, json_schema }, schema: json_schema.schema ?? {} };
  derived.set(format, made);
  return made;
}
