import type { Agent } from '../api/agents';

const STORED_AS = 'agent-osce.last-agent';

/** The agent that was examined last from this browser: it is usually examined again. No other agent is preselected. */
export const lastAgent = {
  /** Its id, while it can be examined. */
  among(agents: readonly Agent[]): string | null {
    const id = stored();
    return agents.some((agent) => agent.id === id && agent.is_active) ? id : null;
  },
  remember(id: string): void {
    try {
      localStorage.setItem(STORED_AS, id);
    } catch {
      // In a browser without storage it is chosen again each time.
    }
  },
};

function stored(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
