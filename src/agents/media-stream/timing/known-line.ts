import { randomUUID } from 'node:crypto';
import { extname, join } from 'node:path';
import type { TargetGuard } from '../../../platform/targets';
import { Secrets } from '../../secrets/secrets';
import { KnownAgents } from '../../voice/timing/known-agents';
import type { CallKnownAgent } from '../../voice/timing/timing-check';
import { AgentLine, idsOf } from '../agent-line';
import type { LineThread } from '../line-thread';

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const PROGRAM = join(__dirname, `known-agent${extname(__filename)}`);

/** Calls agents of known delays as Twilio Media Streams does, each at a server of its own on this machine. */
export function onLinesOf(lines: LineThread, guard: TargetGuard): CallKnownAgent {
  const agents = new KnownAgents(PROGRAM);
  return async (turns, onSound, signal) => {
    const agent = await agents.begin({ turns }, signal);
    let line: AgentLine | null = null;
    const leave = async (): Promise<void> => {
      await line?.leave();
      agent.end();
    };
    try {
      const url = new URL(agent.url);
      const address = { url, headers: {}, customParameters: {}, ids: idsOf(randomUUID(), 1) };
      line = await AgentLine.ring(lines, guard, address, Secrets.of({}), signal);
      return { call: await line.call(onSound, signal), agent, leave };
    } catch (error) {
      await leave();
      throw error;
    }
  };
}
