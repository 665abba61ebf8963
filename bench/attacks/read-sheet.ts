import { z } from 'zod';

/** The contents of a judge's prompt, read from its text as a model reads it. */
export interface ReadSheet {
  readonly questions: readonly ReadQuestion[];
  readonly sentences: readonly ReadSentence[];
}

export interface ReadQuestion {
  readonly number: number;
  readonly criterion: string;
  readonly isFault: boolean;
  readonly objection: string | null;
}

export interface ReadSentence {
  readonly id: string;
  readonly isAgent: boolean;
  readonly text: string;
}

const question = z.object({
  question: z.int(),
  assistant: z.string(),
  fault: z.boolean().optional(),
  objection: z.string().optional(),
});

/** @throws Error when the text is no prompt for a judge */
export function readSheet(prompt: string): ReadSheet {
  const questions = fencedLines(prompt, 'questions').map((line): ReadQuestion => {
    const { question: number, assistant, fault = false, objection = null } = question.parse(JSON.parse(line));
    return { number, criterion: assistant, isFault: fault, objection };
  });
  const sentences = fencedLines(prompt, 'sentences').flatMap((line): ReadSentence[] => {
    const [, id, text] = /^([ap]\d+\.\d+) (".*")$/.exec(line) ?? [];
    if (id === undefined || text === undefined) return [];
    return [{ id, isAgent: id.startsWith('a'), text: z.string().parse(JSON.parse(text)) }];
  });
  return { questions, sentences };
}

function fencedLines(prompt: string, name: string): string[] {
  const marker = new RegExp(`<${name}-([0-9a-f]+)>`).exec(prompt)?.[1];
  if (marker === undefined) throw new Error(`The prompt holds no ${name}.`);
  const begin = prompt.indexOf(`<${name}-${marker}>`) + `<${name}-${marker}>`.length;
  const end = prompt.indexOf(`</${name}-${marker}>`, begin);
  return prompt
    .slice(begin, end)
    .trim()
    .split('\n')
    .filter((line) => line !== '');
}
