import type { ChartDefinition } from '../../machines/chart-definition';
import { findEdge } from './chart-edges';
import type { ActorTransition } from './inspection-messages';

/** The steps of one actor, put together one after the other. */
export class TransitionTrace {
  private readonly steps: ActorTransition[] = [];
  private state: string;
  private attempt: number;
  private turn: number | null;

  constructor(
    private readonly chart: ChartDefinition,
    start: { state: string; attempt: number; turn: number | null },
  ) {
    ({ state: this.state, attempt: this.attempt, turn: this.turn } = start);
  }

  get transitions(): readonly ActorTransition[] {
    return this.steps;
  }

  get at(): string {
    return this.state;
  }

  /** Another actor takes the row on: it begins where every actor begins. */
  restart(state: string, attempt: number, turn: number | null): void {
    Object.assign(this, { state, attempt, turn });
  }

  turnTo(turn: number): void {
    this.turn = turn;
  }

  /** @param source `stored` when the log itself tells of this step */
  to(state: string, event: string, at: Date, source: 'stored' | 'inferred'): void {
    const { guard = null, actions = [] } = findEdge(this.chart, this.state, state, event) ?? {};
    const { attempt, turn, state: from } = this;
    this.steps.push({
      at: at.toISOString(),
      attempt,
      from,
      to: state,
      event,
      guard,
      actions: [...actions],
      turn,
      source,
    });
    this.state = state;
  }
}
