import { randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { silentLog } from '../../src/platform/config/log';
import { systemClock } from '../../src/agents/outbound/clock';
import { HttpClient } from '../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../src/agents/outbound/limiter';
import { LiveKitProvider } from '../../src/agents/livekit/livekit.provider';
import { RoomProcesses } from '../../src/agents/livekit/room-processes';
import { RoomRemoval } from '../../src/agents/livekit/room-administration';
import { ROOM_TIMES } from '../../src/agents/livekit/room-times';
import { botToken } from '../../src/agents/livekit/room-token';
import { SPOKEN_RATE } from '../../src/agents/voice/sound-clocks';
import { constructedVoice } from '../../src/agents/voice/timing/constructed-voice';
import type { AgentConfig, AgentSound, Provider, Session, SpokenSpan, Utterance } from '../../src/agents/provider';
import { PipecatProvider } from '../../src/agents/pipecat/pipecat.provider';
import { unaborted } from '../agents/provider.contract';
import { SeededVoice } from '../fakes/seeded-voice';
import type { SpokenBotReply, SpokenBotScript } from '../fakes/spoken-bot-program';
import { LiveKitServer } from './livekit-server';
import { MUTE_BOT } from './speaking-bots';

/** A reply as most of them are. */
export const SAYS: SpokenBotReply = {
  text: 'Please call an ambulance now.',
  soundMs: 900,
  delayMs: 200,
  understood: null,
  shown: null,
  leaves: false,
  stopsAfterMs: null,
  then: 'nothing',
  leavesAfterMs: null,
  unpublishes: false,
  premature: null,
  isTone: false,
  echo: null,
};

const SCRIPT = { ...MUTE_BOT, replies: [SAYS, SAYS, SAYS] };

/** How long bots that do not greet are waited for. */
const UNGREETED_MS = 1_000;

export interface CallOptions {
  /** The bot is in the room before the patient comes. */
  readonly agentIsThere?: boolean;
  readonly config?: AgentConfig;
  /** The patient joins with it instead of with a token of ours. */
  readonly token?: (room: string) => Promise<string>;
  readonly hearsWords?: boolean;
  /** What the patient presses in place of saying something. */
  readonly utters?: Pick<Utterance, 'samples' | 'keys'>;
  /** What the patient says into the answers, of all messages or of each. */
  readonly interjection?: Utterance['interjection'] | ((message: string) => Utterance['interjection']);
}

/** A call with a bot, and what the patient was told of it. */
export interface TestCall {
  readonly session: Session;
  /** Its name, where we chose it. */
  readonly room: string | null;
  readonly sounds: readonly AgentSound[];
  readonly uttered: readonly { readonly part: 'turn' | 'interjection'; readonly span: SpokenSpan }[];
}

/** An interjection of constructed sound. */
export function interjectionOf(kind: 'interruption' | 'backchannel', afterMs: number, soundMs: number) {
  return { kind, afterMs, samples: constructedVoice(soundMs, SPOKEN_RATE) };
}

/** Spoken conversations with bots in rooms of a real LiveKit server. */
export class SpokenCalls {
  private readonly rooms = new RoomProcesses();
  private readonly http = new HttpClient();
  private readonly removal = new RoomRemoval(silentLog);
  private readonly provider: LiveKitProvider;
  /** Of agents that do greet: they are waited for, however busy the machine is. */
  private readonly greeted: LiveKitProvider;
  private readonly pipecat: PipecatProvider;
  private readonly bots: ChildProcess;
  private readonly joined = new Map<string, () => void>();
  /** What bots have told of keys, in order. */
  private readonly keys: string[] = [];

  private constructor(
    readonly livekit: LiveKitServer,
    longestSpeech: number,
  ) {
    const { http, removal } = this;
    const limiter = new Limiter(new InProcessRequestBudget(), systemClock);
    const times = { ...ROOM_TIMES, longestSpeech, spokenGreeting: UNGREETED_MS };
    const parts = { http, limiter, clock: systemClock, rooms: this.rooms, removal, times };
    this.provider = new LiveKitProvider(parts);
    this.greeted = new LiveKitProvider({ ...parts, times: { ...times, spokenGreeting: 15_000 } });
    this.pipecat = new PipecatProvider(parts);
    this.bots = fork(join(__dirname, '..', 'fakes', 'spoken-bot-program.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.bots.on('message', (event) => {
      if (typeof event !== 'string') return;
      if (/^(?:key|tones) /.test(event)) this.keys.push(event);
      this.joined.get(event)?.();
    });
  }

  /** @param longestSpeech how long an agent that never ends is listened to, in ms */
  static async start(longestSpeech = ROOM_TIMES.longestSpeech): Promise<SpokenCalls> {
    return new SpokenCalls(await LiveKitServer.start(), longestSpeech);
  }

  /** Process ids of those that hold rooms. */
  get roomPids(): readonly number[] {
    return this.rooms.pids;
  }

  /** What the bot in a room was told and heard of keys: `key EVENT KEY` for each that it was told of, `tones KEYS` for what it heard in a turn. */
  keysIn(room: string | null): readonly string[] {
    const name = ` bot-of-${room}`;
    return this.keys.filter((event) => event.includes(name)).map((event) => event.replace(name, ''));
  }

  /** @param script of the bot that is called; null: an agent comes by itself */
  async call(script: Partial<SpokenBotScript> | null = {}, options: CallOptions = {}): Promise<TestCall> {
    const { livekit } = this;
    const room_name = `spoken-${randomUUID()}`;
    const ours = { api_key: livekit.apiKey, api_secret: livekit.apiSecret, room_name };
    const token = await options.token?.(room_name);
    const keys = { url: livekit.url, ...(token === undefined ? ours : { auth_mode: 'token', token }) };
    const isGreeted = typeof script?.greeting === 'string';
    const connect = () => this.connect(isGreeted ? this.greeted : this.provider, keys, options);
    const connecting = options.agentIsThere === true ? null : connect();
    if (script !== null) await this.join(room_name, await botToken(livekit, room_name, 'clinic-agent'), script);
    return connecting ?? connect();
  }

  /** A call with a bot that a start at `base_url` sends into a room of ours. */
  callPipecat(base_url: string, options: CallOptions = {}): Promise<TestCall> {
    const { url, apiKey, apiSecret } = this.livekit;
    const transport = { transport_url: url, transport_api_key: apiKey, transport_api_secret: apiSecret };
    return this.connect(this.pipecat, { api_key: 'key', agent_name: 'clinic', base_url, ...transport }, options);
  }

  /** Lets a bot into a room. */
  async join(room: string, token: string, script: Partial<SpokenBotScript>): Promise<void> {
    const name = `bot-of-${room}`;
    const joined = new Promise<void>((resolve) => this.joined.set(`joined ${name}`, resolve));
    this.bots.send({ ...SCRIPT, name, url: this.livekit.url, token, ...script });
    await joined;
  }

  private connect(
    provider: Provider,
    usual: AgentConfig,
    { config = {}, hearsWords = false, interjection = null, utters }: CallOptions,
  ): Promise<TestCall> {
    const sounds: AgentSound[] = [];
    const uttered: TestCall['uttered'][number][] = [];
    const connecting = provider.connect(
      {
        agentId: randomUUID(),
        scenarioRunId: randomUUID(),
        attempt: 1,
        history: [],
        continuation: null,
        config: { ...usual, ...config },
        spoken: {
          hearsWords,
          utter: (message) =>
            Promise.resolve({
              samples: new SeededVoice(message.length).samples(40 * message.length, SPOKEN_RATE),
              ...utters,
              interjection: typeof interjection === 'function' ? interjection(message) : interjection,
            }),
          onUttered: (part, span) => uttered.push({ part, span }),
          onSound: (sound) => sounds.push(sound),
          onFloor: () => undefined,
        },
      },
      unaborted(),
    );
    const room = typeof usual['room_name'] === 'string' ? usual['room_name'] : null;
    const call = connecting.then((session) => ({ session, room, sounds, uttered }));
    // Observed at once: a session may fail before the bot has come.
    call.catch(() => undefined);
    return call;
  }

  async close(): Promise<void> {
    this.bots.kill('SIGKILL');
    await Promise.all([this.provider.settled(), this.greeted.settled(), this.pipecat.settled()]);
    await this.removal.close();
    await Promise.all([this.rooms.close(), this.http.close()]);
    await this.livekit.close();
  }
}
