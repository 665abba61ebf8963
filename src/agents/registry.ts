import type { OnApplicationShutdown } from '@nestjs/common';
import type { ProviderKind } from '../domain';
import { silentLog, type Log } from '../platform/config';
import { TargetGuard } from '../platform/targets';
import type { BrowserOptions } from './browser/browser-choice';
import { BrowserProvider } from './browser/browser.provider';
import { systemClock, type Clock } from './outbound/clock';
import { HttpAgentProvider } from './http/http.provider';
import { HttpClient } from './outbound/http-client';
import { Limiter, type RequestBudget } from './outbound/limiter';
import { silentMetrics, type Metrics } from '../platform/telemetry';
import { LiveKitProvider } from './livekit/livekit.provider';
import { LineThread } from './media-stream/line-thread';
import { MediaStreamProvider, type LineTimes } from './media-stream/media-stream.provider';
import { RoomProcesses } from './livekit/room-processes';
import { RoomRemoval } from './livekit/room-administration';
import type { RoomTimes } from './livekit/room-times';
import type { DefaultOpenAiKey } from './secrets/service-secrets';
import { RedactingProvider } from './secrets/redacting-provider';
import { MeasuredProvider } from './measured.provider';
import { OpenAiProvider } from './openai/openai.provider';
import { PipecatProvider } from './pipecat/pipecat.provider';
import type { RtviTimes } from './pipecat/rtvi-conversation';
import type { Provider } from './provider';
import { VapiProvider } from './vapi/vapi.provider';

export interface RegistryOptions {
  readonly budget: RequestBudget;
  /** Where agents may live; by default the rules of TARGETS=local. */
  readonly targets?: TargetGuard;
  /** The deployment's OPENAI_API_KEY. */
  readonly defaultOpenAiKey?: DefaultOpenAiKey;
  /** Keys and passwords of the deployment, which are removed from everything that an agent says. */
  readonly serviceSecrets?: readonly string[];
  readonly clock?: Clock;
  /** Where the browser of `browser` agents is; by default the usual places of this machine are searched. */
  readonly browser?: BrowserOptions;
  /** How long silence in a LiveKit room must last; tests shorten it. */
  readonly roomTimes?: RoomTimes;
  /** The same on a line of the kind `media-stream`. */
  readonly lineTimes?: LineTimes;
  /** How long a bot that speaks RTVI may take with each step; tests change it. */
  readonly rtviTimes?: RtviTimes;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

/** Every kind of target agent, listed by hand; they share one HTTP client and one limiter. */
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly http: HttpClient;
  private readonly livekit: LiveKitProvider;
  private readonly pipecat: PipecatProvider;
  /** Where LiveKit rooms are held; nothing runs until one is joined. */
  private readonly rooms: RoomProcesses;
  private readonly removal: RoomRemoval;
  private readonly browser: BrowserProvider;
  /** What carries telephone calls; nothing runs until one is made. */
  private readonly lines = new LineThread();
  private readonly mediaStream: MediaStreamProvider;
  private readonly providers: ReadonlyMap<string, Provider>;

  constructor(options: RegistryOptions) {
    const {
      budget,
      defaultOpenAiKey,
      clock = systemClock,
      browser,
      roomTimes,
      log = silentLog,
      metrics = silentMetrics,
      targets = TargetGuard.local(),
    } = options;
    this.http = new HttpClient({ guard: targets });
    this.rooms = new RoomProcesses(targets);
    const parts = { http: this.http, limiter: new Limiter(budget, clock), clock };
    const usual = { configured: null, dataDir: 'data', allowNoSandbox: false };
    this.browser = new BrowserProvider({ browser: browser ?? usual, targets, limiter: parts.limiter, log });
    this.removal = new RoomRemoval(log);
    const inRooms = { ...parts, rooms: this.rooms, removal: this.removal, times: roomTimes };
    this.livekit = new LiveKitProvider(inRooms);
    this.pipecat = new PipecatProvider({ ...inRooms, rtviTimes: options.rtviTimes });
    const { limiter } = parts;
    const times = options.lineTimes;
    this.mediaStream = new MediaStreamProvider({ lines: this.lines, targets, limiter, clock, times });
    const secrets = [
      ...(options.serviceSecrets ?? []),
      ...(defaultOpenAiKey === undefined ? [] : [defaultOpenAiKey.key]),
    ];
    const providers: Readonly<Record<ProviderKind, Provider>> = {
      vapi: new VapiProvider(parts),
      openai: new OpenAiProvider(parts, defaultOpenAiKey),
      livekit: this.livekit,
      pipecat: this.pipecat,
      browser: this.browser,
      http: new HttpAgentProvider(parts),
      'media-stream': this.mediaStream,
    };
    this.providers = new Map(
      Object.entries(providers).map(([kind, provider]) => [
        kind,
        new RedactingProvider(new MeasuredProvider(provider, metrics), secrets),
      ]),
    );
  }

  /** @param kind an agent's `provider`, perhaps written by another version */
  find(kind: string): Provider | undefined {
    return this.providers.get(kind);
  }

  get kinds(): readonly ProviderKind[] {
    return [...this.providers.values()].map(({ kind }) => kind);
  }

  /** Kinds whose sessions die with their process: a later attempt starts the conversation again (invariant 5). */
  get restartingKinds(): readonly ProviderKind[] {
    return [...this.providers.values()].filter(({ resumable }) => !resumable).map(({ kind }) => kind);
  }

  /** Processes that hold LiveKit rooms now, for monitoring their memory. */
  get roomProcessIds(): readonly number[] {
    return this.rooms.pids;
  }

  /** Ends calls in flight and closes every connection. Idempotent. */
  async close(): Promise<void> {
    // Rooms that are being deleted need both.
    await Promise.all([this.livekit.settled(), this.pipecat.settled(), this.mediaStream.settled()]);
    await this.removal.close();
    await Promise.all([this.http.close(), this.rooms.close(), this.browser.close(), this.lines.close()]);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
