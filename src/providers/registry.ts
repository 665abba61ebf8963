import type { OnApplicationShutdown } from '@nestjs/common';
import { systemClock, type Clock } from './clock';
import { HttpClient } from './http-client';
import { Limiter } from './limiter';
import { RoomProcesses } from './livekit-room/room-processes';
import { OpenAiProvider } from './openai.provider';
import { PipecatProvider } from './pipecat/pipecat.provider';
import type { Provider, ProviderKind } from './provider';
import type { RequestBudget } from './request-budget';
import { UnavailableProvider } from './unavailable.provider';
import { VapiProvider } from './vapi.provider';

export interface RegistryOptions {
  readonly budget: RequestBudget;
  /** The deployment's OPENAI_API_KEY. */
  readonly defaultOpenAiKey?: string | undefined;
  readonly clock?: Clock;
}

/** Every kind of target agent, listed by hand; they share one HTTP client and one limiter. */
export class ProviderRegistry implements OnApplicationShutdown {
  private readonly http = new HttpClient();
  /** Where LiveKit rooms are held; nothing runs until one is joined. */
  private readonly rooms = new RoomProcesses();
  private readonly providers: ReadonlyMap<string, Provider>;

  constructor({ budget, defaultOpenAiKey, clock = systemClock }: RegistryOptions) {
    const parts = { http: this.http, limiter: new Limiter(budget, clock), clock };
    const providers: readonly Provider[] = [
      new VapiProvider(parts),
      new OpenAiProvider(parts, defaultOpenAiKey),
      new UnavailableProvider('livekit', 'This version does not join LiveKit rooms yet.'),
      new PipecatProvider(parts, this.rooms),
      new UnavailableProvider('browser', 'This version does not drive a browser yet.'),
    ];
    this.providers = new Map(providers.map((provider) => [provider.kind, provider]));
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

  /** Ends calls in flight and closes every connection. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.http.close(), this.rooms.close()]);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
