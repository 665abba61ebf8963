import type { SourceRow } from './derivation-sources.store';
import type { BornScenarioRun } from '../../engine/ledger/derived-run';

export function isGraded({ status }: SourceRow): boolean {
  return status === 'passed' || status === 'failed';
}

/** With everything that its source has. */
export function carried({ id: sourceId, trial }: SourceRow): BornScenarioRun {
  return { sourceId, trial, birth: 'carried', keptTurns: 0, givenMessage: null };
}

/** As its source began: with nothing, with the turns that it was forked from, or with a conversation that is only to be marked. */
export function again(row: SourceRow): BornScenarioRun {
  const { id: sourceId, trial, kept_turns, given_message: givenMessage } = row;
  if (row.is_only_marked) return markedAgain(row);
  if (kept_turns === null) return { sourceId, trial, birth: 'anew', keptTurns: 0, givenMessage: null };
  return { sourceId, trial, birth: 'continued', keptTurns: kept_turns, givenMessage };
}

/**
 * Whether its conversation was held to its end, and is one to mark an agent by: where the patient had strayed, it is not.
 * @param maxTurns of its run
 */
export function isWhole(row: SourceRow, maxTurns: number): boolean {
  if (row.turns === 0 || row.error_code === 'tester_failed') return false;
  return isGraded(row) || row.is_only_marked || row.ended_by !== null || row.turns >= maxTurns;
}

/** With its whole conversation, to be marked. */
export function markedAgain({ id: sourceId, trial }: SourceRow): BornScenarioRun {
  return { sourceId, trial, birth: 'whole', keptTurns: 0, givenMessage: null };
}

/** With the turns before one of its source's; the conversation goes on from there. @param atTurn from 1 */
export function continuedAt(
  { id: sourceId }: SourceRow,
  { atTurn, givenMessage, trial }: Readonly<{ atTurn: number; givenMessage: string | null; trial: number }>,
): BornScenarioRun {
  return { sourceId, trial, birth: 'continued', keptTurns: atTurn - 1, givenMessage };
}

/** The last turn that a conversation can go on from: the one after those it has, unless it had ended with them. */
export function lastForkOf({ turns, ended_by }: SourceRow, maxTurns: number): number {
  return ended_by === null ? Math.min(turns + 1, Math.max(turns, maxTurns)) : turns;
}

/** Whether the agent is called for any of them. */
export function callAgent(born: readonly BornScenarioRun[]): boolean {
  return born.some(({ birth }) => birth === 'anew' || birth === 'continued');
}
