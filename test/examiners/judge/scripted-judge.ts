import { UNLIKELY_ACTS } from '../../../src/examiners/judge/control-questions';
import { Judge } from '../../../src/examiners/judge/judge';
import type { Mark, Question, MarkingRequest, MarkingAnswer } from '../../../src/examiners/judge/marking-request';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';

export type Answered = Partial<Omit<Mark, 'number'>> & Pick<Mark, 'decision'>;

/** Decides a question, or leaves it out. */
export type Script = (
  question: Question,
  sheet: MarkingRequest,
  call: number,
) => Answered | readonly Answered[] | undefined;

const UNLIKELY = new Set(UNLIKELY_ACTS.map(({ criterion }) => criterion));

export function isControl({ criterion }: Question, criteria: readonly string[]): boolean {
  return !criteria.includes(criterion);
}

/** Answers by a script, control questions rightly unless the script decides them too, and keeps what it was asked. */
export class ScriptedJudge extends Judge {
  readonly name = 'scripted';
  readonly model = 'scripted-1';
  readonly promptVersion = 'v0';
  readonly isDeterministic = false;
  readonly health = { status: 'ok', detail: 'Scripted.' } as const;
  readonly sheets: MarkingRequest[] = [];

  constructor(
    private readonly criteria: readonly string[],
    private readonly script: Script,
    /** Ids that it calls words to the examiner, where it sees the whole conversation. */
    private readonly addressed: (sheet: MarkingRequest) => readonly string[] = () => [],
  ) {
    super();
  }

  async mark(sheet: MarkingRequest, signal: AbortSignal): Promise<MarkingAnswer> {
    this.sheets.push(sheet);
    const call = this.sheets.length;
    await Promise.resolve();
    signal.throwIfAborted();
    const marks = sheet.questions.flatMap((question): Mark[] => {
      const given = this.script(question, sheet, call) ?? this.control(question, sheet);
      const { number, criterion } = question;
      return [given ?? []].flat().map((answered) => ({
        number,
        evidence: [],
        absence: false,
        rationale: `Because of ${criterion}.`,
        ...answered,
      }));
    });
    const usage = { ...NO_USAGE, calls: 1, inputTokens: 100, outputTokens: 10, costUsd: 0.25 };
    const isWhole = sheet.extent === 'whole';
    return {
      marks,
      addressedToExaminer: isWhole ? this.addressed(sheet) : [],
      summary: isWhole ? `Asking ${call}.` : '',
      usage,
      answeredBy: 'scripted-1-0001',
    };
  }

  private control(question: Question, { sentences }: MarkingRequest): Answered | undefined {
    if (!isControl(question, this.criteria)) return undefined;
    if (UNLIKELY.has(question.criterion)) return { decision: 'NOT MET' };
    if (question.criterion.startsWith('Does not do')) return { decision: 'MET', absence: true };
    return {
      decision: 'MET',
      evidence: sentences
        .filter(({ speaker }) => speaker === 'agent')
        .map(({ id }) => id)
        .slice(0, 1),
    };
  }
}
