import { Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';
import { drawChart, scenarioRunMachine, testRunMachine } from '../../../machines';
import { Bus, BusError, subjects } from '../../engine/bus';
import { ModelSpend, type SpendReached } from '../../examiners/model';
import { Log } from '../../platform/config';
import { TestRunsStore } from '../runs/test-runs.store';
import { attemptsOf, combine, upToNow } from './actor-history';
import { charts } from './chart-walk';
import { type ActorBrief, type ActorSnapshot, actorBrief, actorSnapshot } from './inspection-messages';
import { InspectionStore, type ActorRow } from './inspection.store';
import { storedRunTransitions } from './stored-run-transitions';
import { storedTransitions } from './stored-transitions';
import type { ActorTransition, ActorDetail, ActorList, ActorView, MachineList } from '../../../contract/inspection';

/** A live process answers within milliseconds; one that is paused or cut off is not waited for. */
const ANSWER_WITHIN_MS = 1_000;

/** What a process said; null when it did not answer. */
type Said<Answer> = { readonly answer: Answer } | null;

const briefs = z.array(actorBrief);
const snapshot = actorSnapshot.nullable();

/** Asks the processes about their actors, this one like any other. */
@Injectable()
export class ProcessInquiry {
  constructor(
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  /** The states of the process's actors; those that it does not have (any more) are missing. */
  briefs(processId: string, ids: readonly string[]): Promise<Said<readonly ActorBrief[]>> {
    return this.ask(subjects.inspectActors(processId), ids, briefs);
  }

  /** Everything about one actor of the process; null when it does not have it (any more). */
  snapshot(processId: string, id: string): Promise<Said<ActorSnapshot | null>> {
    return this.ask(subjects.inspectActor(processId), [id], snapshot);
  }

  private async ask<Answer>(subject: string, ids: readonly string[], schema: z.ZodType<Answer>): Promise<Said<Answer>> {
    try {
      const reply = await this.bus.request(subject, { ids }, { timeoutMs: ANSWER_WITHIN_MS });
      return { answer: schema.parse(reply) };
    } catch (error) {
      const isSilent = error instanceof BusError && error.reason !== 'responder_failed';
      if (!isSilent) this.log.warn('A process answered an inspection with something else', { error });
      return null;
    }
  }
}

/** The current state of an actor, and the last message received from its watch. */
export interface Inspected {
  readonly row: ActorRow;
  readonly detail: ActorDetail;
  /** Null while no client watches, or the process does not know of it yet. */
  readonly watch: { readonly id: string; readonly last: number } | null;
}

/** The state of every actor of every process, and how it got there. */
@Injectable()
export class InspectionService {
  constructor(
    private readonly store: InspectionStore,
    private readonly testRuns: TestRunsStore,
    private readonly inquiry: ProcessInquiry,
    private readonly spend: ModelSpend,
  ) {}

  machines(): MachineList {
    const drawings = { test_run: drawChart(testRunMachine), scenario_run: drawChart(scenarioRunMachine) };
    const machines = (['test_run', 'scenario_run'] as const).map((kind) => {
      const { id, initial, states, transitions } = charts[kind];
      return {
        kind,
        id,
        initial,
        states: states.map((state) => ({ ...state, invokes: [...state.invokes], tags: [...state.tags] })),
        transitions: transitions.map((transition) => ({ ...transition, actions: [...transition.actions] })),
        mermaid: drawings[kind],
      };
    });
    return { machines };
  }

  /** @throws NotFoundException when there is no such run */
  async list(run: string | undefined, page: { limit: number; offset: number }): Promise<ActorList> {
    const testRunId = run === undefined ? null : await this.testRuns.resolve(run);
    if (run !== undefined && testRunId === null) throw new NotFoundException('Test run not found');
    const [{ actors, total }, owners, reached] = await Promise.all([
      this.store.listLive(testRunId, page),
      this.store.listOwners(),
      this.spend.reached(),
    ]);
    const briefs = new Map<string, ActorBrief>();
    const processes = await Promise.all(
      owners.map(async ({ owner, actors: count }) => {
        const ids = actors.filter((actor) => actor.owner === owner).map(({ id }) => id);
        const said = await this.inquiry.briefs(owner, ids);
        for (const brief of said?.answer ?? []) briefs.set(brief.id, brief);
        return { id: owner, actors: count, answered: said !== null };
      }),
    );
    return { actors: actors.map((row) => viewOf(row, briefs.get(row.id), reached)), total, processes };
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<Inspected> {
    const row = await this.store.find(id);
    if (row === null) throw new NotFoundException('There is no scenario run or test run with this id');
    return this.inspect(row);
  }

  private async inspect(row: ActorRow): Promise<Inspected> {
    // Asked before the log is read, so that the log is not older than the answer.
    const said = row.owner === null ? null : await this.inquiry.snapshot(row.owner, row.id);
    const snapshot = said?.answer ?? null;
    const stored = await this.stored(row);
    const known = combine(row.kind, stored, snapshot?.watched?.transitions ?? []);
    const transitions = snapshot === null ? known : upToNow(row.kind, known, snapshot.state, snapshot.since);
    const isUnderWay = row.owner !== null;
    const detail: ActorDetail = {
      ...viewOf(row, snapshot ?? undefined, await this.spend.reached()),
      state: snapshot?.state ?? transitions.at(-1)?.to ?? null,
      context: snapshot?.context ?? null,
      attempts: attemptsOf(row.kind, transitions, isUnderWay),
      transitions,
      unanswered: row.owner !== null && said === null ? [row.owner] : [],
    };
    return { row, detail, watch: watchOf(snapshot) };
  }

  private async stored(row: ActorRow): Promise<readonly ActorTransition[]> {
    if (row.kind === 'test_run') return storedRunTransitions(await this.store.testRunSteps(row.id), row.attempt);
    const [steps, turns, facts] = await Promise.all([
      this.store.scenarioRunSteps(row.test_run_id, row.id),
      this.store.turnTimes(row.id),
      this.store.conversationFacts(row.id),
    ]);
    return facts === null ? [] : storedTransitions(steps, turns, facts);
  }
}

function watchOf(snapshot: ActorSnapshot | null): Inspected['watch'] {
  const watched = snapshot?.watched ?? null;
  return watched && { id: watched.watch_id, last: watched.last };
}

function viewOf(row: ActorRow, brief: ActorBrief | undefined, reached: SpendReached | null): ActorView {
  const { kind, id, test_run_id, test_run_label, scenario_id, name, status, attempt, owner } = row;
  return {
    kind,
    id,
    test_run_id,
    test_run_label,
    scenario_id,
    name,
    status,
    attempt: brief?.attempt ?? attempt,
    is_live: brief !== undefined,
    state: brief?.state ?? null,
    since: brief?.since ?? null,
    awaits: brief?.awaits ?? null,
    deadline: brief?.deadline ?? null,
    floor: brief?.floor ?? null,
    // Scenario runs that have begun are finished; the others, and their run, wait.
    waiting: status === 'pending' || (kind === 'test_run' && status === 'running') ? (reached?.sentence ?? null) : null,
    owner,
  };
}
