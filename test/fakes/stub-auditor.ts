import { NO_USAGE } from '../../src/examiners/model/model-usage';
import {
  LanguageModel,
  type AnswerFormat,
  type ModelAnswer,
  type Prompt,
  type CallLimits,
} from '../../src/examiners/model/language-model';
import type { z } from 'zod';

interface Line {
  readonly id: string;
  readonly text: string;
}

interface ReadPrompt {
  readonly free: readonly string[];
  readonly held: readonly string[];
  readonly card: string;
  readonly criteria: readonly string[];
  readonly lines: readonly Line[];
}

/**
 * A model that audits patients as well as words allow. It has the prompt alone, as a model would: it reads card, checklist and sentences
 * out of it and knows neither which sentence was planted nor how the gate looks for faults.
 */
export class StubAuditor extends LanguageModel {
  readonly vendor = 'stub';
  readonly name = 'auditor';
  readonly prompts: Prompt[] = [];

  write(): Promise<never> {
    return Promise.reject(new Error('The auditor writes no plain text.'));
  }

  answer<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema>,
    _limits: CallLimits,
    _signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>> {
    this.prompts.push(prompt);
    const value = format.schema.parse({ faults: faultsSeen(readPrompt(prompt)) });
    return Promise.resolve({ value, usage: { ...NO_USAGE, inputTokens: 10 }, answeredBy: 'stub' });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function readPrompt({ messages }: Prompt): ReadPrompt {
  const content = messages[0]?.content ?? '';
  const section = (name: string): string =>
    new RegExp(`<${name}-([0-9a-f]+)>\\n([^]*?)\\n</${name}-\\1>`).exec(content)?.[2] ?? '';
  const card: unknown = JSON.parse(section('role-card'));
  const { script, chief_complaint: complaint } = card as { script: string; chief_complaint: string };
  const from = script.indexOf('If asked');
  const sentences = (text: string): string[] => text.split(/(?<=[.!?])\s+/).filter(Boolean);
  return {
    free: [complaint, ...sentences(from < 0 ? script : script.slice(0, from))],
    held: from < 0 ? [] : sentences(script.slice(from)),
    card: section('role-card'),
    criteria: section('checklist').split('\n'),
    lines: section('sentences')
      .split('\n')
      .map((line) => ({
        id: line.slice(0, line.indexOf(' ')),
        text: String(JSON.parse(line.slice(line.indexOf(' ') + 1))),
      })),
  };
}

const SMALL = new Set(
  `the and but for those one ones find that this with have has had was were are you your yours they them she her hers his him its it's i'm i've from what when
   there here just really very some any not don't didn't doesn't isn't yes okay then than too also about like well think know feel feels
   going would could should can can't will won't been being much more only still even over into them their because after before`.split(
    /\s+/,
  ),
);
const NEGATION = /\b(?:no|not|never|none|nothing|nobody|cannot|without)\b|n['’]t\b/i;

function words(text: string): Set<string> {
  const all = text.toLowerCase().match(/[a-z']+|\d+(?:\.\d+)?/g) ?? [];
  return new Set(
    all.filter((word) => (word.length > 2 || /\d/.test(word)) && !SMALL.has(word)).map((word) => word.slice(0, 4)),
  );
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}

function clauses(text: string): string[] {
  return text.split(/[,;]|\b(?:and|but)\b/);
}

/** Whether a clause of one and a clause of the other speak of the same, and one of the two denies it. */
function contradicts(said: string, fact: string): boolean {
  return clauses(said).some((one) => clauses(fact).some((other) => deny(one, other)));
}

function deny(one: string, other: string): boolean {
  const [first, second] = [words(one), words(other)];
  const both = shared(first, second);
  const [least, most] = [Math.min(first.size, second.size), Math.max(first.size, second.size)];
  const isSame = most === 1 ? both === 1 : both >= 2 && both >= 0.6 * least && both >= 0.4 * most;
  return isSame && NEGATION.test(one) !== NEGATION.test(other);
}

function faultsSeen({ free, held, card, criteria, lines }: ReadPrompt): object[] {
  const known = words(card);
  const asked = new Set<string>();
  let isAsked = false;
  const said: string[] = [];
  const faults: object[] = [];
  for (const { id, text } of lines) {
    if (id.startsWith('a')) {
      isAsked = text.endsWith('?') || (isAsked && !id.endsWith('.1'));
      for (const word of words(text)) asked.add(word);
      continue;
    }
    const kind = kindOf(text);
    said.push(text);
    if (kind === null || id.startsWith('p1.')) continue;
    const criterion = 1 + criteria.findIndex((line) => shared(words(line), words(text)) >= 2);
    faults.push({
      sentence: id,
      reason: `It is ${kind}.`,
      kind,
      severity: criterion > 0 ? 'helped' : 'minor',
      criterion,
    });
  }
  return faults;

  function kindOf(text: string): string | null {
    if (/^(?:you should|as an ai|how can i help)/i.test(text)) return 'role_reversal';
    if (text.endsWith('?')) return null;
    if (said.some((earlier) => contradicts(text, earlier))) return 'inconsistent';
    const own = words(text);
    const isHeld = !isAsked && held.some((fact) => shared(own, words(fact)) >= 2 && shared(words(fact), asked) === 0);
    const told = held.map((fact) => fact.replace(/^If asked about [^,]+,/, ''));
    if ([...free, ...told].some((fact) => contradicts(text, fact))) return 'contradicted';
    if (isHeld) return 'volunteered';
    const unknown = [...own].filter((word) => !known.has(word) && !asked.has(word));
    return own.size >= 3 && !/\d/.test(text) && unknown.length >= 0.7 * own.size ? 'invented' : null;
  }
}
