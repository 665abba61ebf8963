import type { BornScenarioRun } from '../../engine/ledger';
import type { SourceRow } from './derivation-sources.store';

type Source = Omit<SourceRow, 'patient'>;

export function isGraded({ status }: Pick<Source, 'status'>): boolean {
  return status === 'passed' || status === 'failed';
}

/** With everything that its source has. */
export function carried({ id: sourceId, trial }: Source): BornScenarioRun {
  return { sourceId, trial, birth: 'carried', keptTurns: 0, givenMessage: null };
}

/** As its source began: with nothing, with the turns that it was forked from, or with a conversation that is only to be marked. */
export function again(row: Source): BornScenarioRun {
  const { id: sourceId, trial, kept_turns, given_message: givenMessage } = row;
  if (row.is_only_marked) return markedAgain(row);
  if (kept_turns === null) return { sourceId, trial, birth: 'anew', keptTurns: 0, givenMessage: null };
  return { sourceId, trial, birth: 'continued', keptTurns: kept_turns, givenMessage };
}

/**
 * Whether its conversation was held to its end, and is one to mark an agent by: where the patient had strayed, it is not.
 * @param maxTurns of its run
 */
export function isWhole(row: Source, maxTurns: number): boolean {
  if (row.turns === 0 || row.error_code === 'tester_failed') return false;
  return isGraded(row) || row.is_only_marked || row.ended_by !== null || row.turns >= maxTurns;
}

/** With its whole conversation, to be marked. */
export function markedAgain({ id: sourceId, trial }: Source): BornScenarioRun {
  return { sourceId, trial, birth: 'whole', keptTurns: 0, givenMessage: null };
}

/** With the turns before one of its source's; the conversation goes on from there. @param atTurn from 1 */
export function continuedAt(
  { id: sourceId }: Source,
  { atTurn, givenMessage, trial }: Readonly<{ atTurn: number; givenMessage: string | null; trial: number }>,
): BornScenarioRun {
  return { sourceId, trial, birth: 'continued', keptTurns: atTurn - 1, givenMessage };
}

/** The last turn that a conversation can go on from: the one after those it has, unless it had ended with them. */
export function lastForkOf({ turns, ended_by }: Source, maxTurns: number): number {
  return ended_by === null ? Math.min(turns + 1, Math.max(turns, maxTurns)) : turns;
}

/** Whether the agent is called for any of them. */
export function callAgent(born: readonly BornScenarioRun[]): boolean {
  return born.some(({ birth }) => birth === 'anew' || birth === 'continued');
}
