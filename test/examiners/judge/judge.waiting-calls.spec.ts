import type { RubricCriterion } from '../../../src/domain/rubric';
import { examine } from '../../../src/examiners/judge/examine';
import type { MarkingRequest, MarkingAnswer } from '../../../src/examiners/judge/marking-request';
import { eventually } from '../../setup/eventually';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { ScriptedJudge } from './scripted-judge';

const threads = openTextThreads();
/** What is asked at a time (examine.ts). */
const MOST_CALLS_AT_ONCE = 12;
const MOST_CRITERIA_A_CALL = 12;

/** Holds its answers of one extent back until they are released. */
class HeldJudge extends ScriptedJudge {
  private readonly held: (() => void)[] = [];
  private isReleased = false;

  constructor(
    criteria: readonly RubricCriterion[],
    private readonly extent: MarkingRequest['extent'],
  ) {
    const texts = criteria.map(({ criterion: text }) => text);
    super(texts, ({ criterion: text }) => (texts.includes(text) ? { decision: 'MET', evidence: ['a1.1'] } : undefined));
  }

  get asked(): number {
    return this.sheets.filter(({ extent }) => extent === this.extent).length;
  }

  override async mark(sheet: MarkingRequest, signal: AbortSignal): Promise<MarkingAnswer> {
    const answer = await super.mark(sheet, signal);
    if (sheet.extent === this.extent && !this.isReleased) await new Promise<void>((resolve) => this.held.push(resolve));
    return answer;
  }

  release(): void {
    this.isReleased = true;
    for (const answer of this.held) answer();
  }
}

const many = (count: number, tags: readonly string[] = []): readonly RubricCriterion[] =>
  Array.from({ length: count }, (_, number) => criterion(`Mentions number ${number}`, 1, tags));

describe('A call that has to wait for others to end', () => {
  it.each([
    ['a part of the criteria', 'whole', many(MOST_CRITERIA_A_CALL * MOST_CALLS_AT_ONCE + 1)],
    ['a vote', 'narrow', many(MOST_CALLS_AT_ONCE + 1, ['must_pass'])],
  ] as const)('is not made when the attempt was lost meanwhile: %s', async (_what, extent, criteria) => {
    const judge = new HeldJudge(criteria, extent);
    const lost = new Error('The lease was lost.');
    let isLost = false;
    const examination = examine(
      {
        judge,
        scenario: scenarioWith(''),
        criteria,
        transcript: transcriptOf(['Please sit down.']),
        passThreshold: 80,
        threads,
        assureOwnership: () => (isLost ? Promise.reject(lost) : Promise.resolve()),
        seed: 7,
      },
      new AbortController().signal,
    );
    const refused = expect(examination).rejects.toBe(lost);
    await eventually(() => expect(judge.asked).toBe(MOST_CALLS_AT_ONCE));
    isLost = true;
    judge.release();
    await refused;
    expect(judge.asked).toBe(MOST_CALLS_AT_ONCE);
  });
});
