/** The fields of a run that are read, in the API's names. */
interface Examined {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly status: string;
  readonly pass_rate: number;
  readonly created_at: string;
}

/** How an agent fared in its last runs. */
export interface Trend<Run> {
  readonly agent_id: string;
  readonly agent_name: string;
  /** The oldest first: two or more. */
  readonly runs: readonly Run[];
  readonly latest: Run;
}

/** Points of a curve that is still read at a glance. */
const RUNS_AT_MOST = 12;
const AGENTS_AT_MOST = 6;

/** A trend of each agent with more than one completed run, the one that was examined last first. */
export function trendsOf<Run extends Examined>(runs: readonly Run[]): Trend<Run>[] {
  const found = new Map<string, Run[]>();
  const newestFirst = [...runs].sort((one, other) => other.created_at.localeCompare(one.created_at));
  for (const run of newestFirst) {
    if (run.status !== 'completed') continue;
    found.set(run.agent_id, [...(found.get(run.agent_id) ?? []), run]);
  }
  return [...found.values()]
    .flatMap((ofAgent) => {
      const [latest] = ofAgent;
      if (latest === undefined || ofAgent.length < 2) return [];
      const { agent_id, agent_name } = latest;
      return [{ agent_id, agent_name, latest, runs: ofAgent.slice(0, RUNS_AT_MOST).reverse() }];
    })
    .slice(0, AGENTS_AT_MOST);
}
