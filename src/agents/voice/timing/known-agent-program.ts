import type { z } from 'zod';
import { ToAgents, type AgentReport, type KnownAgentEvent } from './known-agent-wire';

/** Tells the process that started this one; nothing once that has ended. */
function tell(report: AgentReport): void {
  if (process.connected) process.send?.(report, undefined, undefined, () => undefined);
}

/** An agent that works until it is told to end. */
export interface WorkingAgent {
  end(): Promise<void>;
}

/**
 * Makes this process that of agents of known delays: it begins one with each command that its parent sends, tells why one failed, and ends
 * with its parent.
 */
export function runKnownAgents<Command>(
  commands: z.ZodType<Command>,
  begin: (command: Command, report: (event: KnownAgentEvent) => void) => Promise<WorkingAgent>,
): void {
  const agents = new Map<string, Promise<WorkingAgent>>();
  const take = async (message: ToAgents): Promise<void> => {
    const { agent } = message;
    const report = (event: KnownAgentEvent): void => tell({ agent, event });
    try {
      if (message.type === 'begin') {
        const working = begin(commands.parse(message.command), report);
        agents.set(agent, working);
        await working;
      } else {
        const working = agents.get(agent);
        agents.delete(agent);
        await (await working)?.end();
      }
    } catch (error) {
      report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  };
  process.on('message', (message) => {
    const known = ToAgents.safeParse(message);
    if (known.success) void take(known.data);
  });
  // Native libraries and open servers would keep the process alive for ever.
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => undefined);
}
