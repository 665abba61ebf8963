import { randomUUID } from 'node:crypto';
import { extname, join } from 'node:path';
import { Secrets } from '../../secrets/secrets';
import { KnownAgents, type StartedAgent } from '../../voice/timing/known-agents';
import type { CallKnownAgent } from '../../voice/timing/timing-check';
import { AgentRoom } from '../agent-room';
import type { RoomProcesses } from '../room-processes';
import { botToken, patientIdentity, speakingPatientToken, type KeyPair } from '../room-token';
// The type alone: the program is one of its own.
import type { KnownRoomCommand } from './known-agent';

/** Beside this module, and in the same form: compiled, or TypeScript where a loader for it is set up. */
const PROGRAM = join(__dirname, `known-agent${extname(__filename)}`);
const AGENT_MS = 30_000;

/** Calls agents of known delays in rooms of a LiveKit server, each in one of its own. @param url of the server */
export function inRoomsOf(rooms: RoomProcesses, url: string, keys: KeyPair): CallKnownAgent {
  const agents = new KnownAgents(PROGRAM);
  return async (turns, onSound, signal) => {
    const room = `osce-timing-${randomUUID()}`;
    const token = await speakingPatientToken(keys, room, patientIdentity(room));
    const joined = await AgentRoom.join(rooms, { url, token }, Secrets.of({}), signal);
    let agent: StartedAgent | null = null;
    const leave = async (): Promise<void> => {
      agent?.end();
      await joined.leave();
    };
    try {
      const call = await joined.call(onSound, signal);
      const agentToken = await botToken(keys, room, 'agent-of-known-delays');
      const command: KnownRoomCommand = { url, token: agentToken, turns: [...turns] };
      agent = await agents.begin(command, signal);
      await joined.waitForAgent(AGENT_MS, 'The agent with known delays did not come.', signal);
      return { call, agent, leave };
    } catch (error) {
      await leave();
      throw error;
    }
  };
}
