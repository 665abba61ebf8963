import type { ChartDefinition } from '../../../machines/chart-definition';
import { findEdge } from './chart-edges';
import type { WalkedStep } from './chart-walk';
import type { ActorTransition } from './inspection-messages';

/** A derived step as inspection shows it. @param source `stored` when the log itself holds its outcome */
export function transitionOf(
  chart: ChartDefinition,
  { from, to, event, snapshot }: WalkedStep,
  attempt: number,
  at: Date,
  source: 'stored' | 'inferred',
): ActorTransition {
  const { guard = null, actions = [] } = findEdge(chart, from, to, event) ?? {};
  const context: unknown = snapshot.context;
  return {
    at: at.toISOString(),
    attempt,
    from,
    to,
    event,
    guard,
    actions: [...actions],
    turn: turnIn(context),
    source,
  };
}

/** From 1 to the last one of the conversation; null for a test run, which has none. */
export function turnIn(context: unknown): number | null {
  if (typeof context !== 'object' || context === null || !('exchanges' in context && 'maxTurns' in context))
    return null;
  const { exchanges, maxTurns } = context;
  if (!Array.isArray(exchanges) || typeof maxTurns !== 'number') return null;
  return Math.min(exchanges.length + 1, maxTurns);
}
