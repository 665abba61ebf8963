/** The fields of an agent that decide whether it can go on. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly is_active: boolean;
}

/** The agents that can go on from a turn of a conversation. */
export interface Continuing {
  /** The agents that can, the conversation's own agent first. */
  readonly agents: readonly Candidate[];
  /** Whether the conversation's own agent is among them. */
  readonly isSamePossible: boolean;
  /** Why its own agent is not, as a sentence without its full stop; null when it is. */
  readonly obstacle: string | null;
}

/**
 * Decides as the service does, so that no button leads to a predictable refusal.
 * @param heldBy the agent of the conversation, by id and by the name that it had
 */
export function continuingAgents(agents: readonly Candidate[], heldBy: { id: string; name: string }): Continuing {
  const same = agents.find(({ id }) => id === heldBy.id);
  const others = agents.filter((agent) => agent !== same && agent.is_active && obstacleOf(agent, false) === null);
  const obstacle = same === undefined ? `Agent “${heldBy.name}” is not registered here` : whyNot(same);
  if (same === undefined || obstacle !== null) return { agents: others, isSamePossible: false, obstacle };
  return { agents: [same, ...others], isSamePossible: true, obstacle };
}

function whyNot(same: Candidate): string | null {
  const { name } = same;
  return same.is_active ? obstacleOf(same, true) : `Agent “${name}” is not active`;
}

/** @param isItsOwn whether the conversation was its own */
function obstacleOf({ name, provider, config }: Candidate, isItsOwn: boolean): string | null {
  switch (provider) {
    case 'openai':
      return null;
    case 'http':
      return SESSION_ID.test(JSON.stringify(config))
        ? `Agent “${name}” keeps its history under a session id, so it would still remember the turns you want to drop`
        : null;
    case 'vapi':
      return isItsOwn ? null : `Agent “${name}” goes on only from conversations of its own`;
    default:
      return `Agent “${name}” (${provider}) keeps its conversations to itself and cannot go on from one of their turns`;
  }
}

/** The placeholder of the session id in an HTTP agent's config. */
const SESSION_ID = /\{\{\s*session_id\s*\}\}/;
