import { Injectable, NotFoundException } from '@nestjs/common';
import { ownTurn } from '../../platform/concurrency/own-turn';
import { ReviewedConversationsStore } from './reviewed-conversations.store';
import { TestRunsStore } from '../runs/test-runs.store';
import type { TestRunRecord } from '../runs/test-run.row';
import { agreementOf, type Agreement, type RatedTranscript } from '../../domain/statistics/agreement';
import { betweenRatersView, withJudgeView, type AgreementView } from './agreement.view';
import { correctedPassRate, refused } from './corrected-pass-rate';
import { ratedConversation, type RatedConversation } from './rated-conversations';
import { seedOf } from './review-queue';

export interface AskedAgreement {
  readonly judge: string | null;
  readonly tag: string | null;
  /** UUID or label. */
  readonly testRun: string | null;
  /** Percent, such as 95. */
  readonly confidence: number;
  /** Of the review queue. */
  readonly sample: number;
  readonly seed: number | null;
}

/** Draws of conversations that take less than some milliseconds. */
const DRAWS_A_TURN = 50_000;

/** How far the judge and the reviewers agree. */
@Injectable()
export class AgreementService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly conversations: ReviewedConversationsStore,
  ) {}

  /**
   * With the runs of the conversations that it is about.
   * @throws NotFoundException for a test run that does not exist
   */
  async find(
    asked: AskedAgreement,
  ): Promise<{ readonly view: AgreementView; readonly testRunIds: ReadonlySet<string> }> {
    const run = asked.testRun === null ? null : await this.testRuns.find(asked.testRun);
    if (asked.testRun !== null && run === null) throw new NotFoundException('Test run not found');
    const { rated, notBlind, testRunIds } = await this.read(asked, run?.id ?? null);
    const confidence = asked.confidence / 100;
    const doubled = rated.filter(({ betweenReviewers }) => betweenReviewers.length > 0);
    const withJudge = await inTurns(
      rated.map((one) => one.withJudge),
      confidence,
    );
    const between =
      doubled.length === 0
        ? null
        : await inTurns(
            doubled.map((one) => one.betweenReviewers),
            confidence,
          );
    const view: AgreementView = {
      test_run_id: run?.id ?? null,
      judge: asked.judge,
      tag: asked.tag,
      confidence: asked.confidence,
      conversations: rated.length,
      criteria: rated.reduce((sum, { criteria }) => sum + criteria, 0),
      raters: new Set(rated.flatMap(({ reviewers }) => reviewers)).size,
      not_blind: notBlind,
      judges: judgesOf(rated),
      with_judge: withJudgeView(withJudge),
      between_reviewers: between && { conversations: between.transcripts, ...betweenRatersView(between) },
      corrected_pass_rate: await this.corrected(asked, run),
    };
    return { view, testRunIds };
  }

  private async read({ judge, tag }: AskedAgreement, testRunId: string | null) {
    const rated: RatedConversation[] = [];
    const testRunIds = new Set<string>();
    let notBlind = 0;
    for await (const conversation of this.conversations.conversations({ judge, testRunId })) {
      const found = ratedConversation(conversation, tag);
      if (found !== null) {
        rated.push(found);
        testRunIds.add(conversation.test_run_id);
      }
      if (!conversation.reviews.some(({ blind }) => blind)) notBlind += 1;
    }
    return { rated, notBlind, testRunIds };
  }

  private async corrected(
    { tag, judge, sample, seed, confidence }: AskedAgreement,
    run: TestRunRecord | null,
  ): Promise<AgreementView['corrected_pass_rate']> {
    if (run === null) return refused('A pass rate belongs to one run: name it with test_run_id.');
    if (tag !== null) return refused('A verdict rests on all criteria of its rubric: leave tag out.');
    if (judge !== null) return refused('A pass rate is that of all of the run’s verdicts: leave judge out.');
    const runs = await this.conversations.reviewable(run.id, seed ?? seedOf(run.id));
    return correctedPassRate({ status: run.status, runs, sample, confidence: confidence / 100 });
  }
}

function judgesOf(rated: readonly RatedConversation[]): AgreementView['judges'] {
  const counts = new Map<string, AgreementView['judges'][number]>();
  for (const { judge } of rated) {
    const key = JSON.stringify([judge.name, judge.model, judge.prompt_version]);
    counts.set(key, { ...judge, conversations: (counts.get(key)?.conversations ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) => other.conversations - one.conversations);
}

/** In turns of the event loop that others come in between. */
async function inTurns(transcripts: readonly RatedTranscript[], confidence: number): Promise<Agreement> {
  const aTurn = Math.max(1, Math.floor(DRAWS_A_TURN / Math.max(1, transcripts.length)));
  const steps = agreementOf(transcripts, confidence);
  for (let taken = 1; ; taken += 1) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (taken % aTurn === 0) await ownTurn(Number.POSITIVE_INFINITY);
  }
}
