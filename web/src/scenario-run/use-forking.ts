import { earlyEndIn, isFinalTestRun } from '../../../src/domain';
import { agents } from '../api/agents';
import type { TestRun } from '../api/runs';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { useList } from '../parts/use-resource';
import { continuingAgents, type Continuing } from './continuing';

/** The ways in which a conversation can go on differently. */
export interface Forking extends Continuing {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** The turn after the last one, if the conversation was cut short; null if it was held to its end. */
  readonly nextTurn: number | null;
}

/** Null while this is unknown, or while the run is live: it has to end first. */
export function useForking(run: ScenarioRunDetail, testRun: TestRun | undefined): Forking | null {
  const known = useList(agents).data;
  if (known === undefined || testRun === undefined || !isFinalTestRun(testRun.status)) return null;
  if (run.transcript.length === 0) return null;
  const isBrokenOff = earlyEndIn(run.metadata) === null && run.turns < testRun.max_turns;
  return {
    ...continuingAgents(known, { id: testRun.agent_id, name: testRun.agent_name }),
    scenarioRunId: run.id,
    testRunId: testRun.id,
    nextTurn: isBrokenOff ? run.turns + 1 : null,
  };
}
