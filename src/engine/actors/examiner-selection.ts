import { Injectable } from '@nestjs/common';
import { EffectFailed, type Failure } from '../../domain';
import { RecentMap } from '../../platform/concurrency';
import { readModelName } from '../../platform/config';
import { type Judge, Judges } from '../../examiners/judge';
import { RunExaminersStore, type AskedExaminers, type ExaminerDocument } from '../ledger/run-examiners.store';
import type { WantedExaminers } from './processes.store';
import { type Tester, Testers } from '../../examiners/tester';
import { documentOf, examinerPair, type Billed, type NamedExaminers } from './outcome-metadata';

/** A calibration is about one judge: a model, and a version of its prompts. @param now null when there is no such judge any more */
function isCalibrated(calibrated: ExaminerDocument, now: ExaminerDocument | null): boolean {
  return (
    now !== null &&
    calibrated.name === now.name &&
    calibrated.model === now.model &&
    calibrated.prompt_version === now.prompt_version
  );
}

/** Why a calibration ends when no process has its judge any more. @param now the judge of this process; null when its model may not be used */
function judgeChanged(calibrated: ExaminerDocument, now: ExaminerDocument | null): string {
  const became = now === null ? 'one whose model may not be used' : nameOf(now);
  const what = nameOf(calibrated) === became ? 'its prompts changed' : `the judge became ${became}`;
  return (
    `It was begun with ${nameOf(calibrated)}, and before all was marked no process of this service could mark with it any more: ${what}. ` +
    'A calibration is about one judge: start it again.'
  );
}

function nameOf({ name, model }: ExaminerDocument): string {
  return model === null ? `the ${name} judge` : `${name}/${model}`;
}

export interface Players {
  readonly tester: Tester;
  readonly judge: Judge;
}

/** The tester and judge a run asked for, and those this process can provide. */
export interface SelectedExaminers {
  readonly examiners: NamedExaminers;
  /** The examiners that this run needs and this process lacks; null when it has them. */
  readonly lacking: WantedExaminers | null;
  /** Why the whole run ends where no process has them; null: each of its scenario runs ends in an error. */
  readonly ending: string | null;
  /** Whether agents are spoken with in the run. */
  readonly isSpoken: boolean;
  /** @throws EffectFailed when this process may not use a model that the run asks for */
  players(): Players;
}

/** How many runs' choices are kept in memory: a choice never changes. */
const RUNS_KEPT = 1_000;

/** Selects the tester and judge of each run, and notes which ones examined. */
@Injectable()
export class ExaminerSelection {
  private readonly asked = new RecentMap<AskedExaminers>(RUNS_KEPT);
  private readonly noted = new RecentMap<ReadonlySet<string>>(RUNS_KEPT);

  constructor(
    private readonly testers: Testers,
    private readonly judges: Judges,
    private readonly store: RunExaminersStore,
  ) {}

  /** Null when the run is gone. @throws the database's error */
  async of(testRunId: string): Promise<SelectedExaminers | null> {
    const asked = this.asked.get(testRunId) ?? (await this.store.askedFor(testRunId));
    if (asked === null) return null;
    this.asked.set(testRunId, asked);
    const { tester_model, judge_model, calibrated_judge: calibrated, is_spoken: isSpoken } = asked;
    const tester = this.testers.find(tester_model);
    const judge = this.judges.find(judge_model);
    const judgeNow = judge === null ? null : documentOf(judge);
    const isOther = calibrated !== null && !isCalibrated(calibrated, judgeNow);
    return {
      lacking:
        tester === null || judge === null || isOther
          ? { testers: [{ asked: tester_model }], judges: [{ asked: judge_model, ...calibrated }] }
          : null,
      isSpoken,
      ending: isOther ? judgeChanged(calibrated, judgeNow) : null,
      examiners: { tester: tester ?? absent(tester_model), judge: judge ?? absent(judge_model) },
      players: () => {
        if (tester === null) throw new EffectFailed(notAllowed('tester_failed', 'tester', tester_model));
        if (judge === null) throw new EffectFailed(notAllowed('grading_failed', 'judge', judge_model));
        return { tester, judge };
      },
    };
  }

  /** Notes which tester and judge begin to examine in a run; the same pair again costs nothing. @throws the database's error */
  async note(testRunId: string, examiners: NamedExaminers): Promise<void> {
    const pair = examinerPair(examiners);
    const key = JSON.stringify(pair);
    const before = this.noted.get(testRunId) ?? new Set<string>();
    if (before.has(key)) return;
    await this.store.note(testRunId, pair);
    this.noted.set(testRunId, new Set([...before, key]));
  }
}

/** The examiners a verdict names: where another scenario run held the conversation, the tester is that one's. */
export function namedExaminers(examiners: NamedExaminers, playedBy: ExaminerDocument | null): NamedExaminers {
  if (playedBy === null) return examiners;
  const { name, model, prompt_version: promptVersion } = playedBy;
  return { tester: { name, model, promptVersion }, judge: examiners.judge };
}

/** A model that was asked for and that this process does not have. */
function absent(model: string | null): Billed {
  const name = model === null ? null : readModelName(model);
  return { name: name?.vendor ?? 'unknown', model: name?.model ?? model, promptVersion: null };
}

function notAllowed(code: Failure['code'], role: string, model: string | null): Failure {
  return {
    code,
    message:
      `The run asks for ${model} as its ${role}, and no process of the service has that model any more: ` +
      'name it in ALLOWED_MODELS, or start the run again without it.',
  };
}
