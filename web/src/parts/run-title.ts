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

/** A run by its name; one without a name by its agent, the agent's version and its time: `Triage agent 2.1, 26 Nov, 14:05`. */
export function runTitle({ name, agent_name, agent_version, started_at, scheduled_at, created_at }: Titled): string {
  if (name !== null) return name;
  const version = agent_version === null ? '' : ` ${agent_version}`;
  return `${agent_name}${version}, ${timeText(started_at ?? scheduled_at ?? created_at)}`;
}
