import { patientToken } from '../../src/agents/livekit/room-token';
import type { FakeMessage } from '../fakes/fake-agent';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startStreamingModel, type ModelAnswer } from '../fakes/streaming-model';
import { PIECE, type Canaries } from './canaries';
import { GOOD_REPLY } from './examination';
import { LiveKitServer } from './livekit-server';
import { startPipecatServer } from './pipecat-server';
import { freePort } from './service-process';
import { startLiveKitTextAgent } from './voice-peers';

/** What a patient says whom the agent of this name is to tell what it knows. */
export const complaintTo = (name: string): string => `My chest hurts. I am a patient of: ${name}.`;

/** Whoever answers such a patient stops in the middle of a secret, and says nothing more. */
export const CUT_OFF = complaintTo('somebody who is cut off');

/** Configs by name, whose first word is the kind. */
type Configs = Readonly<Record<string, object>>;

/** Real agents on a real LiveKit server, with canaries wherever they, their servers or their configs have secrets. */
export class CanaryVoices {
  /** Agents that answer, and give away every secret of their config. */
  readonly answering: Configs;
  /** The same as they should not be configured, each with the code that its runs end with. */
  readonly failing: Readonly<Record<string, { readonly config: object; readonly code: string }>>;

  private constructor(
    readonly livekit: LiveKitServer,
    /** What the agents of both frameworks think with. */
    readonly model: HttpStub,
    /** Where one agent's tokens for its rooms come from. */
    readonly tokenServer: HttpStub,
    private readonly closing: (() => Promise<unknown>)[],
    configs: Pick<CanaryVoices, 'answering' | 'failing'>,
  ) {
    this.answering = configs.answering;
    this.failing = configs.failing;
  }

  /** @param known secrets that the agents have besides, wherever from */
  static async start(canaries: Canaries, known: () => readonly string[]): Promise<CanaryVoices> {
    const closing: (() => Promise<unknown>)[] = [];
    const kept = async <Server extends { close(): Promise<unknown> }>(starting: Promise<Server>): Promise<Server> => {
      const server = await starting;
      closing.push(() => server.close());
      return server;
    };
    try {
      const pairs = ['livekit', 'token server', 'pipecat.transport', 'bots'].map((name) => pairOf(canaries, name));
      const livekit = await kept(
        LiveKitServer.start(Object.fromEntries(pairs.map(({ apiKey, apiSecret }) => [apiKey, apiSecret]))),
      );
      let answering: Configs = {};
      const answer = (messages: readonly FakeMessage[]): ModelAnswer => {
        const heard = JSON.stringify(messages.filter(({ role }) => role === 'user'));
        if (heard.includes(CUT_OFF)) return { stopsAfter: `I know ${known()[0]?.slice(0, -PIECE) ?? ''}` };
        const [name = '', config = {}] =
          Object.entries(answering).find(([name]) => heard.includes(complaintTo(name))) ?? [];
        const own = canaries.foundIn(JSON.stringify(config)).map((place) => canaries.of(place));
        return answerOf(messages, [...own, ...known()], name.startsWith('livekit'));
      };
      const model = await kept(startStreamingModel({ answer }));
      const tokenServer = await kept(startTokenServer(canaries));
      const [, bots] = await Promise.all([
        kept(startLiveKitTextAgent(livekit, model.baseUrl, { LLM_API_KEY: canaries.of('models.livekit') })),
        kept(
          startPipecatServer(livekit, model.baseUrl, {
            PUBLIC_KEY: canaries.of('agents.pipecat.api_key'),
            LIVEKIT_API_KEY: pairOf(canaries, 'bots').apiKey,
            LIVEKIT_API_SECRET: pairOf(canaries, 'bots').apiSecret,
            OPENAI_API_KEY: canaries.of('models.pipecat'),
          }),
        ),
      ]);
      const places = { livekit: livekit.url, tokens: tokenServer.origin, bots: bots.baseUrl };
      answering = answeringConfigs(canaries, places);
      const failing = failingConfigs(canaries, places, await freePort());
      return new CanaryVoices(livekit, model, tokenServer, closing, { answering, failing });
    } catch (error) {
      for (const close of closing.reverse()) await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
  }
}

interface Places {
  readonly livekit: string;
  readonly tokens: string;
  readonly bots: string;
}

const pairOf = (canaries: Canaries, name: string) => ({
  apiKey: canaries.of(`agents.${name}.api_key`),
  apiSecret: canaries.of(`agents.${name}.api_secret`),
});

function answeringConfigs(canaries: Canaries, places: Places): Configs {
  const place = (field: string) => canaries.of(`agents.${field}`);
  const cloud = { base_url: places.bots, api_key: place('pipecat.api_key'), agent_name: 'clinic' };
  return {
    livekit: { url: places.livekit, api_key: place('livekit.api_key'), api_secret: place('livekit.api_secret') },
    'livekit by token': {
      url: places.livekit,
      auth_mode: 'token',
      token_url: `${places.tokens}/token?key=${place('livekit.token_url')}`,
      token_headers: { authorization: `Bearer ${place('livekit.token_headers')}` },
      token_body: { client_secret: place('livekit.token_body') },
    },
    pipecat: {
      ...cloud,
      transport_url: places.livekit,
      transport_api_key: place('pipecat.transport.api_key'),
      transport_api_secret: place('pipecat.transport.api_secret'),
    },
    'pipecat in its own room': cloud,
  };
}

function failingConfigs(canaries: Canaries, places: Places, closedPort: number): CanaryVoices['failing'] {
  const { livekit, pipecat } = answeringConfigs(canaries, places);
  const wrong = (place: string) => canaries.of(`agents.wrong.${place}`);
  const gone = `127.0.0.1:${closedPort}`;
  return {
    'livekit with a wrong secret': {
      config: { ...livekit, api_secret: wrong('livekit.api_secret') },
      code: 'auth_failed',
    },
    'livekit whose server is gone': {
      config: { ...livekit, url: `ws://osce:${wrong('livekit.password')}@${gone}/?token=${wrong('livekit.url')}` },
      code: 'connect_failed',
    },
    'pipecat with a wrong key': { config: { ...pipecat, api_key: wrong('pipecat.api_key') }, code: 'auth_failed' },
    'pipecat with a wrong secret': {
      config: { ...pipecat, transport_api_secret: wrong('pipecat.transport_api_secret') },
      code: 'auth_failed',
    },
    'pipecat whose server is gone': {
      config: { ...pipecat, base_url: `http://${gone}/?key=${wrong('pipecat.base_url')}` },
      code: 'connect_failed',
    },
  };
}

/** Signs tokens for whatever room it is asked for; each is a canary as well. */
function startTokenServer(canaries: Canaries): Promise<HttpStub> {
  let given = 0;
  return startHttpStub((response, { body }) => {
    const { room_name: room, participant_identity: identity } = Object.fromEntries(
      Object.entries(typeof body === 'object' && body !== null ? body : {}),
    );
    void patientToken(pairOf(canaries, 'token server'), String(room), String(identity)).then((token) => {
      given += 1;
      canaries.add(`token ${given}`, token);
      sendJson(response, 200, { token });
    });
  });
}

/** So often that what is kept of a long text ends within some secret. */
const TIMES = 3;

/** Every secret, as it is and in Base64; where there is a tool, that one is called with them first. */
function answerOf(messages: readonly FakeMessage[], secrets: readonly string[], hasTool: boolean): ModelAnswer {
  const isFirst = messages.filter(({ role }) => role === 'user').length === 1;
  if (hasTool && isFirst && messages.at(-1)?.role === 'user') {
    return {
      tool: 'find_emergency_number',
      arguments: { country: secrets.join(' ').repeat(TIMES) },
      say: 'Let me look. ',
    };
  }
  const known = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
  return `I know ${known.join(' and ').repeat(TIMES)}. ${GOOD_REPLY}`;
}
