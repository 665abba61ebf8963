import { z } from 'zod';
import { MUST_PASS_TAG } from '../../domain';
import { type CallLimits, AnswerFormat, type LanguageModel } from '../model/language-model';
import { MAX_CRITERIA, MAX_SCENARIOS } from './case-writing';
import { generatorMessage, generatorSystemPrompt } from './prompts';
import { ScenarioGenerator, TesterError, type GeneratedScenario, type GenerationRequest } from './tester';

const LIMITS: CallLimits = { attemptMs: 180_000, overallMs: 300_000 };
const MAX_TOKENS = 24_000;
/** A longer text is read in parts, concurrently: one answer for all its cases would take too long to write. */
const PART_CHARACTERS = 24_000;
/** The most cases asked for from one part: as many as fit into the tokens of one answer. */
const MOST_A_PART = 15;
const MAX_POINTS = 100;

const answer = new AnswerFormat(
  z.object({
    scenarios: z.array(
      z.object({
        name: z.string(),
        category: z.string(),
        age: z.number(),
        gender: z.string(),
        chief_complaint: z.string(),
        script: z.string(),
        criteria: z.array(
          z.object({ criterion: z.string(), points: z.number(), must_pass: z.boolean(), tags: z.array(z.string()) }),
        ),
      }),
    ),
  }),
);
type WrittenScenario = z.output<typeof answer.schema>['scenarios'][number];

/** Has a language model, of any vendor, write scenarios from clinical text. */
export class LanguageModelScenarioGenerator extends ScenarioGenerator {
  readonly name: string;

  constructor(
    private readonly api: LanguageModel,
    private readonly limits: CallLimits = LIMITS,
  ) {
    super();
    this.name = api.vendor;
  }

  async generate(request: GenerationRequest, signal: AbortSignal): Promise<readonly GeneratedScenario[]> {
    const parts = request.extent === 'one' ? [request.text] : inParts(request.text, PART_CHARACTERS);
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) stop.abort();
    try {
      const written = await Promise.all(parts.map((text) => this.write({ ...request, text }, stop.signal)));
      const scenarios = written.flat().flatMap((scenario) => usable(scenario) ?? []);
      if (scenarios.length === 0 && written.flat().length > 0) {
        throw new TesterError('The language model wrote no scenario that can be played and graded.');
      }
      return scenarios.slice(0, request.extent === 'one' ? 1 : MAX_SCENARIOS);
    } finally {
      signal.removeEventListener('abort', onAbort);
      // If one part fails, all of it fails; the other parts need not be finished.
      stop.abort();
    }
  }

  /** Called by the application when it stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.api.close();
  }

  private async write(request: GenerationRequest, signal: AbortSignal): Promise<WrittenScenario[]> {
    const prompt = {
      system: generatorSystemPrompt(request, MOST_A_PART),
      messages: [generatorMessage(request.text)],
      maxTokens: MAX_TOKENS,
      effort: 'low' as const,
    };
    const { value } = await this.api.answer(prompt, answer, this.limits, signal).catch((error: unknown) => {
      throw new TesterError(error instanceof Error ? error.message : 'The generator failed.', { cause: error });
    });
    return value.scenarios;
  }
}

/** A scenario within the bounds of the service; null when it could not be graded or played. */
function usable(written: WrittenScenario): GeneratedScenario | null {
  const name = plain(written.name, 200);
  const script = plain(written.script, 20_000);
  const complaint = plain(written.chief_complaint, 1_000);
  const rubricCriteria = written.criteria.slice(0, MAX_CRITERIA).flatMap(({ criterion, points, must_pass, tags }) => {
    const sentence = plain(criterion, 500);
    if (sentence === '' || points === 0 || Math.abs(points) > MAX_POINTS) return [];
    const named = tags.map((tag) => plain(tag, 50)).filter((tag) => tag !== '' && tag !== MUST_PASS_TAG);
    return [{ criterion: sentence, points, tags: must_pass ? [...named, MUST_PASS_TAG] : named }];
  });
  if (name === '' || complaint === '' || rubricCriteria.length === 0) return null;
  return {
    name,
    category: plain(written.category, 50) || 'triage',
    content: {
      script,
      demographics: { age: Math.min(129, Math.max(0, Math.round(written.age))), gender: plain(written.gender, 50) },
      chief_complaint: complaint,
    },
    rubricCriteria,
  };
}

/** Fit for PostgreSQL and the page. */
function plain(text: string, most: number): string {
  return text.replaceAll('\0', '').slice(0, most).toWellFormed().trim();
}

/** Cuts a text into parts of at most `most` characters, at blank lines where there are any, otherwise at line ends or spaces. */
export function inParts(text: string, most: number): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > most) {
    const window = text.slice(from, from + most);
    const cut = [window.lastIndexOf('\n\n'), window.lastIndexOf('\n'), window.lastIndexOf(' ')].find(
      (at) => at > most / 2,
    );
    const length = cut === undefined ? wholeCharacters(window) : cut;
    parts.push(window.slice(0, length));
    from += length;
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The length without half a surrogate pair at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
