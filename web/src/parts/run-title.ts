import { timeText } from './time';

/** What a run is known by, of a run in the API's names. */
export interface Titled {
  readonly name: string | null;
  readonly agent_name: string;
  readonly agent_version: string | null;
  readonly started_at: string | null;
  readonly scheduled_at: string | null;
  readonly created_at: string;
}

/** The agent of a run with its version: `Triage agent 2.1`. */
export function agentTitle({ agent_name, agent_version }: Pick<Titled, 'agent_name' | 'agent_version'>): string {
  return agent_version === null ? agent_name : `${agent_name} ${agent_version}`;
}

/** A run by its name; one without a name by its agent, the agent's version and its time: `Triage agent 2.1, 26 Nov, 14:05`. */
export function runTitle({ name, agent_name, agent_version, started_at, scheduled_at, created_at }: Titled): string {
  return name ?? `${agentTitle({ agent_name, agent_version })}, ${timeText(started_at ?? scheduled_at ?? created_at)}`;
}
