import { randomUUID } from 'node:crypto';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, AgentSound, HeldFloor, Session, SpokenSpan, Utterance } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import type { TargetGuard } from '../../src/platform/targets';
import { machineMs } from '../../src/agents/voice/sound-clocks';
import { MediaStreamBot, type BotScript } from '../fakes/media-stream-bot';
import { SeededVoice } from '../fakes/seeded-voice';

export interface StreamCall {
  readonly session: Session;
  readonly sounds: readonly AgentSound[];
  readonly uttered: readonly { readonly part: 'turn' | 'interjection'; readonly span: SpokenSpan }[];
  /** As it changed. */
  readonly floors: readonly HeldFloor[];
  /** Machine ms of the call's beginning, known to some milliseconds. */
  readonly beganAt: number;
}

/** Times that suit a bot that answers at once. */
const TIMES = { greeting: 300, longestSpeech: 20_000 };

/** Spoken conversations with bots that take media streams. */
export class MediaStreamCalls {
  private readonly registry: ProviderRegistry;
  private readonly bots: MediaStreamBot[] = [];

  /** @param targets where bots may live; by default the rules of TARGETS=local */
  constructor(times = TIMES, targets?: TargetGuard) {
    this.registry = new ProviderRegistry({ budget: new InProcessRequestBudget(), lineTimes: times, targets });
  }

  async call(
    config: AgentConfig,
    options: {
      readonly interjection?: Utterance['interjection'];
      readonly signal?: AbortSignal;
      readonly utterMs?: number;
      /** What the patient says or presses in place of a voice of `utterMs`. */
      readonly utters?: Pick<Utterance, 'samples' | 'keys'>;
    } = {},
  ): Promise<StreamCall> {
    const provider = this.registry.find('media-stream');
    if (provider === undefined) throw new Error('There is no such provider.');
    const sounds: AgentSound[] = [];
    const uttered: StreamCall['uttered'][number][] = [];
    const floors: HeldFloor[] = [];
    const beganAt = machineMs();
    const session = await provider.connect(
      {
        agentId: randomUUID(),
        scenarioRunId: randomUUID(),
        attempt: 1,
        history: [],
        continuation: null,
        config: { max_retries: 0, turn_timeout_ms: 4_000, ...config },
        spoken: {
          hearsWords: true,
          utter: (message) =>
            Promise.resolve({
              samples: new SeededVoice(message.length).samples(options.utterMs ?? 1_000, 48_000),
              ...options.utters,
              interjection: options.interjection ?? null,
            }),
          onUttered: (part, span) => uttered.push({ part, span }),
          onSound: (sound) => sounds.push(sound),
          onFloor: (floor) => floors.push(floor),
        },
      },
      options.signal ?? new AbortController().signal,
    );
    return { session, sounds, uttered, floors, beganAt };
  }

  async startBot(script: Partial<BotScript>): Promise<MediaStreamBot> {
    const bot = await MediaStreamBot.start(script);
    this.bots.push(bot);
    return bot;
  }

  /** Those that were started since the last time. */
  async closeBots(): Promise<void> {
    for (const bot of this.bots.splice(0)) await bot.close();
  }

  close(): Promise<void> {
    return this.registry.close();
  }
}
