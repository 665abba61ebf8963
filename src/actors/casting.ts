import { Injectable } from '@nestjs/common';
import { EffectFailed, type Failure } from '../../machines/failure';
import { readModelName } from '../config/model-name';
import type { Judge } from '../judge/judge';
import { Judges } from '../judge/judges';
import { RunExaminersStore, type AskedModels, type ExaminerDocument } from '../persistence/run-examiners.store';
import type { WantedExaminers } from '../persistence/processes.store';
import type { Tester } from '../tester/tester';
import { Testers } from '../tester/testers';
import { examinerPair, type Billed, type Cast } from './outcome-metadata';

export interface Players {
  readonly tester: Tester;
  readonly judge: Judge;
}

/** Who is to play and mark in a run, and who can. */
export interface Casting {
  readonly cast: Cast;
  /** What a process needs to have for this run, where this one has not; null where it has. */
  readonly lacking: WantedExaminers | null;
  /** @throws EffectFailed when this process may not use a model that the run asks for */
  players(): Players;
}

/** Runs whose wishes are kept in memory: they never change. */
const RUNS_KEPT = 1_000;

/** Finds who plays and marks for each run, and notes who did. */
@Injectable()
export class Casts {
  private readonly asked = new Map<string, AskedModels>();
  private readonly noted = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly testers: Testers,
    private readonly judges: Judges,
    private readonly store: RunExaminersStore,
  ) {}

  /** Null when there is no such run any more. @throws the database's error */
  async of(testRunId: string): Promise<Casting | null> {
    const known = this.asked.get(testRunId);
    const asked = known ?? (await this.store.askedFor(testRunId));
    if (asked === null) return null;
    if (known === undefined) keep(this.asked, testRunId, asked);
    const tester = this.testers.find(asked.tester);
    const judge = this.judges.find(asked.judge);
    return {
      lacking:
        tester === null || judge === null
          ? { testers: [{ asked: asked.tester }], judges: [{ asked: asked.judge }] }
          : null,
      cast: { tester: tester ?? absent(asked.tester), judge: judge ?? absent(asked.judge) },
      players: () => {
        if (tester === null) throw new EffectFailed(notAllowed('tester_failed', 'tester', asked.tester));
        if (judge === null) throw new EffectFailed(notAllowed('grading_failed', 'judge', asked.judge));
        return { tester, judge };
      },
    };
  }

  /** Who begins to examine in a run; the same again costs nothing. @throws the database's error */
  async note(testRunId: string, cast: Cast): Promise<void> {
    const pair = examinerPair(cast);
    const key = JSON.stringify(pair);
    const before = this.noted.get(testRunId) ?? new Set<string>();
    if (before.has(key)) return;
    await this.store.note(testRunId, pair);
    keep(this.noted, testRunId, new Set([...before, key]));
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > RUNS_KEPT && oldest !== undefined) map.delete(oldest);
}

/** Who a scenario run's verdict names: where another scenario run has held its conversation, the tester of that one. */
export function castOf(cast: Cast, playedBy: ExaminerDocument | null): Cast {
  if (playedBy === null) return cast;
  const { name, model, prompt_version: promptVersion } = playedBy;
  return { tester: { name, model, promptVersion }, judge: cast.judge };
}

/** A model that was asked for and that nobody here is. */
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
