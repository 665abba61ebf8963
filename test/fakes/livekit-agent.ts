import { AccessToken } from 'livekit-server-sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveKitServer } from '../setup/livekit-server';
import { lastMessage, type FakeAgent, type FakeAgentOptions } from './fake-agent';
import type { Step, StubRequest } from './http-stub';
import { textBot, type Patient } from './pipecat-bots';
import type { BotBehaviour, RoomBot, RoomBots } from './room-bots';

export interface LiveKitAgentOptions extends FakeAgentOptions {
  readonly livekit: LiveKitServer;
  readonly bots: RoomBots;
  /** Whether it has the attribute that says what it does, as agents of LiveKit's own framework. Default true. */
  readonly tellsState?: boolean;
  /** What it does in a room; by default it answers every text. One that tells its state publishes sound too. */
  readonly bot?: (bot: RoomBot, patient: Patient) => BotBehaviour;
}

/**
 * An agent as a FakeAgent: it goes into every room that appears on a real LiveKit server and speaks in text streams.
 * `requests` are the patient's messages, and `openSockets` the conversations.
 */
export async function startLiveKitAgent(options: LiveKitAgentOptions): Promise<FakeAgent> {
  const { livekit, bots, bot: behaviourOf = textBot, tellsState = true, reply = lastMessage, delayMs = 0 } = options;
  const requests: StubRequest[] = [];
  const steps: Step[] = [];
  const joined = new Map<string, RoomBot>();
  let inFlight = 0;
  let isOver = false;

  const patientIn = (room: string): Patient => {
    let pending = 0;
    return {
      heard: (text) => {
        requests.push({ method: 'SAY', path: room, headers: {}, body: text });
        pending += 1;
        inFlight += 1;
      },
      nextStep: () => steps.shift() ?? null,
      done: () => {
        inFlight -= pending;
        pending = 0;
      },
      reply,
      delayMs,
    };
  };
  const joinNewRooms = async (): Promise<void> => {
    // Rooms that are there already belong to somebody else.
    const foreign = new Set(await livekit.roomNames());
    while (!isOver) {
      for (const room of await livekit.roomNames().catch(() => [])) {
        // Once only: a room that was just deleted may still be in this list, and who joins it makes it anew.
        if (foreign.has(room) || joined.has(room)) continue;
        const token = new AccessToken(livekit.apiKey, livekit.apiSecret, {
          identity: 'clinic-agent',
          attributes: tellsState ? { 'lk.agent.state': 'listening' } : {},
        });
        if (tellsState) token.kind = 'agent';
        token.addGrant({ room, roomJoin: true, agent: true });
        joined.set(
          room,
          bots.join(livekit.url, await token.toJwt(), (bot) => ({
            isVoice: tellsState,
            ...behaviourOf(bot, patientIn(room)),
          })),
        );
      }
      await sleep(25);
    }
  };
  const joining = joinNewRooms();

  return {
    baseUrl: livekit.url,
    origin: livekit.url,
    requests,
    get openSockets() {
      return [...joined.values()].filter(({ isGone }) => !isGone).length;
    },
    get acceptedSockets() {
      return joined.size;
    },
    get inFlight() {
      return inFlight;
    },
    next: (...more) => void steps.push(...more),
    until: async (condition) => {
      while (!condition()) await sleep(5);
    },
    close: async () => {
      isOver = true;
      await joining;
      for (const bot of joined.values()) bot.leave();
    },
  };
}
