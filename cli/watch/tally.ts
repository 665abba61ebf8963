import type { RunEventFields } from '../../src/domain';
import { oneLine } from '../output/harmless-text';

export type ScenarioEnd = Extract<
  RunEventFields,
  { type: 'scenario_complete' | 'scenario_error' | 'scenario_canceled' }
>;

export function endsScenario(event: RunEventFields): event is ScenarioEnd {
  return event.type === 'scenario_complete' || event.type === 'scenario_error' || event.type === 'scenario_canceled';
}

interface UnderWay {
  readonly name: string;
  turns: number;
  score: number | null;
}

/** The state of a run, by the events so far. An execution that starts again (a higher attempt) counts its turns anew. */
export class Tally {
  passed = 0;
  failed = 0;
  error = 0;
  canceled = 0;
  private readonly scenarios = new Map<string, UnderWay>();

  constructor(
    readonly total: number,
    private readonly turnsEach: number,
    private readonly trials: number,
  ) {}

  get ended(): number {
    return this.passed + this.failed + this.error + this.canceled;
  }

  get underWay(): number {
    return this.scenarios.size;
  }

  /** The most recently started scenario that is still running. */
  get newestName(): string {
    return [...this.scenarios.values()].at(-1)?.name ?? '';
  }

  /** Share of all turns that is done, 0 to 1. */
  get progress(): number {
    if (this.total === 0) return 1;
    let done = this.ended;
    for (const { turns } of this.scenarios.values()) done += Math.min(1, turns / (this.turnsEach + 1));
    return Math.min(1, done / this.total);
  }

  /** Name and score of a scenario run; call it before recording the event that ends it. */
  describe(scenarioRunId: string): { readonly name: string; readonly score: number | null } {
    return this.scenarios.get(scenarioRunId) ?? { name: 'a scenario', score: null };
  }

  note(event: RunEventFields): void {
    switch (event.type) {
      case 'scenario_started':
        this.scenarios.set(event.scenario_run_id, { name: this.nameOf(event), turns: 0, score: null });
        return;
      case 'transcript_update':
        this.change(event.scenario_run_id, (one) => (one.turns = event.turn));
        return;
      case 'grading_complete':
        this.change(event.scenario_run_id, (one) => (one.score = event.score_percent));
        return;
      case 'scenario_complete':
      case 'scenario_error':
        // Scenario runs that were carried over have no events of their own.
        this.passed = event.counts.passed;
        this.failed = event.counts.failed;
        this.error = event.counts.error;
        this.canceled = event.counts.canceled;
        break;
      case 'scenario_canceled':
        this.canceled += 1;
        break;
      default:
        return;
    }
    this.scenarios.delete(event.scenario_run_id);
  }

  private nameOf({
    scenario_name,
    trial,
  }: {
    readonly scenario_name: string;
    readonly trial?: number | undefined;
  }): string {
    return oneLine(this.trials === 1 ? scenario_name : `${scenario_name}, trial ${trial ?? 1}`);
  }

  private change(id: string, apply: (one: UnderWay) => void): void {
    const one = this.scenarios.get(id);
    if (one !== undefined) apply(one);
  }
}
