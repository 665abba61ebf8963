import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DEFAULT_PASS_THRESHOLD } from '../../domain/rubric';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { ServiceProcesses } from '../../engine/actors/service-processes';
import { Log } from '../../platform/config/log';
import { examine } from '../../examiners/judge/examine';
import type { ExaminationRecord } from '../../examiners/judge/examination-record';
import { JudgeError, type Judge, Judges } from '../../examiners/judge/judge';
import { ModelSpend } from '../../examiners/model/model-spend';
import { CalibrationMarksStore, type ClaimedMark, type MarkOutcome } from './calibration-marks.store';
import { Database } from '../../platform/database/database';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';
import { TextThreads } from '../../examiners/threads/text-threads';
import { calibrationResultOf } from './calibration-result';
import { toTurns } from './transcript-turns';
import { documentOf, nameOf } from './judge-document';

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = 1_000;
/** Examinations of this process at a time; each makes several calls side by side. */
const AT_ONCE = 4;
/** An examination that so many processes died over is given up. */
const MOST_ATTEMPTS = 5;

interface UnderWay {
  readonly mark: ClaimedMark;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Makes the examinations of calibrations, on any process of the service, and adds up the result when all of them are made. */
@Injectable()
export class CalibrationWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: RecurringTask;
  private readonly renewing: RecurringTask;
  private readonly underWay = new Map<string, UnderWay>();
  private looked: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly marks: CalibrationMarksStore,
    private readonly judges: Judges,
    private readonly spend: ModelSpend,
    private readonly threads: TextThreads,
    private readonly database: Database,
    private readonly processes: ServiceProcesses,
    private readonly log: Log,
  ) {
    this.looking = new RecurringTask('calibrations', LOOK_EVERY_MS, () => this.look(), log);
    this.renewing = new RecurringTask('leases of calibrations', RENEW_EVERY_MS, () => this.renew(), log);
  }

  async onApplicationBootstrap(): Promise<void> {
    // No other process can be using this database: what a killed one had under way need not wait for its lease to expire.
    if (this.database.exclusive) await this.marks.giveBackAll();
    this.looking.start();
    this.renewing.start();
  }

  /** Gives back what is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.looking.stop(), this.renewing.stop()]);
    this.abortAll(() => true);
    await Promise.all([...this.underWay.values()].map(({ done }) => done));
  }

  /** Calls in flight on this process end at once; on others, as soon as their leases are not renewed. */
  stop(calibrationId: string): void {
    this.abortAll((mark) => mark.calibrationId === calibrationId);
  }

  private abortAll(isMeant: (mark: ClaimedMark) => boolean): void {
    for (const { mark, abort } of this.underWay.values()) {
      if (isMeant(mark)) abort.abort(new Error('The examination is not wanted any more.'));
    }
  }

  /** One look at a time; calls during a look are served by the next one. */
  private look(): Promise<void> {
    this.looked ??= this.lookOnce().finally(() => (this.looked = null));
    return this.looked;
  }

  private async lookOnce(): Promise<void> {
    const room = AT_ONCE - this.underWay.size;
    const { isAnyDue, allMarked } = await this.marks.toDo();
    // The budget is asked only when there is something to spend it on.
    if (room > 0 && isAnyDue && (await this.spend.reached()) === null) {
      const ids = await this.markable();
      if (ids.length > 0) for (const mark of await this.marks.claim(room, ids)) this.begin(mark);
    }
    if (allMarked !== null) await this.finish(allMarked);
  }

  /** The calibrations that this process has the judge of. One whose judge no process has had for a while is ended. */
  private async markable(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const { id, judge, judgeModel } of await this.marks.live()) {
      const now = this.judges.find(judgeModel);
      const isMine = now !== null && isSame(documentOf(now), judge);
      if (isMine) ids.push(id);
      else if (!(await this.processes.isLeftToOthers({ testers: [], judges: [{ asked: judgeModel, ...judge }] }))) {
        await this.marks.fail(id, changedSentence(judge, now === null ? null : documentOf(now)));
      }
    }
    return ids;
  }

  private async renew(): Promise<void> {
    const claims = [...this.underWay.keys()];
    if (claims.length === 0) return;
    const held = await this.marks.renew(claims);
    this.abortAll(({ claim }) => claims.includes(claim) && !held.has(claim));
  }

  private begin(mark: ClaimedMark): void {
    const abort = new AbortController();
    const done = this.attempt(mark, abort.signal)
      .catch((error: unknown) =>
        this.log.warn('An examination of a calibration was not settled', { error, calibrationId: mark.calibrationId }),
      )
      .finally(() => {
        this.underWay.delete(mark.claim);
        // What is due next need not wait for the next look.
        if (!this.isStopping && !abort.signal.aborted) this.claimNext();
      });
    this.underWay.set(mark.claim, { mark, abort, done });
  }

  private claimNext(): void {
    if (this.underWay.size > 0) return;
    this.look().catch((error: unknown) => this.log.warn('Calibrations could not be looked for', { error }));
  }

  private async attempt(mark: ClaimedMark, signal: AbortSignal): Promise<void> {
    const judge = this.judges.find(mark.judgeModel);
    // Only examinations whose judge this process has were claimed.
    if (judge === null) return this.marks.giveBack(mark);
    if (mark.attempt > MOST_ATTEMPTS) {
      const message = `Given up after ${MOST_ATTEMPTS} attempts that did not come to an end.`;
      return this.marks.settle(mark, { kind: 'failed', errorKind: 'internal', message, record: null });
    }
    const outcome = await this.examine(mark, judge, signal);
    if (outcome === null) return this.marks.giveBack(mark);
    await this.marks.settle(mark, outcome);
  }

  /** Null when it was stopped. */
  private async examine(mark: ClaimedMark, judge: Judge, signal: AbortSignal): Promise<MarkOutcome | null> {
    let spent: ExaminationRecord | null = null;
    try {
      const { verdict, record } = await examine(
        {
          judge,
          scenario: { name: '', content: contentOf(mark) },
          criteria: mark.criteria.map(({ criterion, points, tags, by_turn }) => ({
            criterion,
            points,
            tags,
            ...(by_turn === undefined ? {} : { by_turn }),
          })),
          transcript: toTurns(mark.transcript),
          region: mark.region,
          passThreshold: DEFAULT_PASS_THRESHOLD,
          threads: this.threads,
          seed: mark.seed,
          onFailure: (record) => {
            spent = record;
          },
        },
        signal,
      );
      return { kind: 'marked', criteria: verdict.criteria, record };
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof JudgeError)) {
        this.log.error('An examination of a calibration failed unexpectedly', {
          error,
          calibrationId: mark.calibrationId,
        });
      }
      const isJudges = error instanceof JudgeError;
      const message = isJudges ? error.message : 'The harness failed; its log says how.';
      return { kind: 'failed', errorKind: isJudges ? error.kind : 'internal', message, record: spent };
    }
  }

  private async finish(calibrationId: string): Promise<void> {
    const [labelled, settled] = await Promise.all([
      this.marks.labels(calibrationId),
      this.marks.settled(calibrationId),
    ]);
    const result = await calibrationResultOf(labelled, settled);
    const [first] = result.failed;
    if (first !== undefined && settled.every(({ status }) => status === 'failed')) {
      return this.marks.fail(calibrationId, `Nothing could be marked: ${first.message}`, result);
    }
    await this.marks.complete(calibrationId, result);
  }
}

/** The judge is given no scenario: no name, no script. */
function contentOf({ rubricScale }: ClaimedMark) {
  const scale = rubricScale === null ? {} : { rubric_scale: rubricScale };
  return { script: '', demographics: {}, chief_complaint: '', ...scale };
}

function isSame(one: ExaminerDocument, other: ExaminerDocument): boolean {
  return one.name === other.name && one.model === other.model && one.prompt_version === other.prompt_version;
}

function changedSentence(before: ExaminerDocument, now: ExaminerDocument | null): string {
  const became = now === null ? 'one whose model may not be used' : nameOf(now);
  const what = now !== null && nameOf(before) === became ? 'its prompts changed' : `the judge became ${became}`;
  return (
    `It was begun with ${nameOf(before)}, and before all was marked no process of this service could mark with it any more: ${what}. ` +
    'A calibration is about one judge: start it again.'
  );
}
