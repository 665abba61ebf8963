import { AccessToken } from 'livekit-server-sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveKitServer } from '../setup/livekit-server';
import { lastMessage, type FakeAgent, type FakeAgentOptions } from './fake-agent';
import type { Step, StubRequest } from './http-stub';
import type { Patient } from './pipecat-bots';
import { startFakePipecatCloud, type FakePipecatCloud } from './pipecat-cloud-server';
import type { BotBehaviour, RoomBot, RoomBots } from './room-bots';

export interface PipecatAgentOptions extends FakeAgentOptions {
  readonly livekit: LiveKitServer;
  readonly bots: RoomBots;
  readonly bot: (bot: RoomBot, patient: Patient) => BotBehaviour;
  /** Agents that exist; by default every one does. */
  readonly agentNames?: readonly string[];
  readonly mayEndSessions?: boolean;
  readonly greeting?: string;
}

/** A FakeAgent in whose rooms `requests` are the patient's messages, and `openSockets` the conversations. */
export interface PipecatAgent extends FakeAgent {
  readonly cloud: FakePipecatCloud;
  /** Its bots, those that left too, in the order they were started. */
  readonly started: readonly RoomBot[];
}

/** A Pipecat-Cloud-like server whose sessions are bots in rooms of a real LiveKit server. */
export async function startPipecatAgent(options: PipecatAgentOptions): Promise<PipecatAgent> {
  const { livekit, bots, bot: behaviourOf, reply = lastMessage, delayMs = 0, greeting, ...cloudOptions } = options;
  const requests: StubRequest[] = [];
  const steps: Step[] = [];
  const started: RoomBot[] = [];
  let inFlight = 0;

  const cloud = await startFakePipecatCloud({
    ...cloudOptions,
    startBot: async (body, sessionId) => {
      const brought = readRoom(body);
      const room = `clinic-${cloud.origin.split(':').at(-1)}-${sessionId}`;
      const url = brought?.url ?? livekit.url;
      const token = brought?.token ?? (await tokenFor(livekit, room, 'bot'));
      let pending = 0;
      const patient: Patient = {
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
        greeting,
      };
      const bot = bots.join(url, token, (joined) => behaviourOf(joined, patient));
      started.push(bot);
      const answer = brought === null ? { url, token: await tokenFor(livekit, room, 'caller') } : {};
      return { answer, stop: async () => bot.leave() };
    },
  });
  return {
    cloud,
    started,
    baseUrl: cloud.baseUrl,
    origin: cloud.origin,
    requests,
    get openSockets() {
      return started.filter(({ isGone }) => !isGone).length;
    },
    get acceptedSockets() {
      return started.length;
    },
    get inFlight() {
      return inFlight;
    },
    next: (...more) => void steps.push(...more),
    until: async (condition) => {
      while (!condition()) await sleep(5);
    },
    close: () => cloud.close(),
  };
}

async function tokenFor(livekit: LiveKitServer, room: string, identity: string): Promise<string> {
  const token = new AccessToken(livekit.apiKey, livekit.apiSecret, { identity });
  token.addGrant({ room, roomJoin: true, agent: identity === 'bot' });
  return token.toJwt();
}

function readRoom(body: Readonly<Record<string, unknown>>): { url: string; token: string } | null {
  const { url, token } = body;
  return typeof url === 'string' && typeof token === 'string' ? { url, token } : null;
}
