import { z } from 'zod';
import { decodeMuLaw, encodeMuLaw } from '../../../domain/sound';
import type { Heard } from '../../voice/sound-clocks';
import { KnownAgent, type KnownVoice } from '../../voice/timing/known-agent';
import { runKnownAgents } from '../../voice/timing/known-agent-program';
import { KnownTurns } from '../../voice/timing/known-agent-wire';
import { LineServer, type LineAgent, type TakenCall } from '../line-server';
import { LINE_RATE, MEDIA_MS } from '../stream-messages';

/** The program of agents whose delays are known, each of which is called as an agent's server for Twilio Media Streams is. */

/** What it says goes out in one message; that it was played is told by a mark. */
class MediaVoice implements KnownVoice {
  readonly rate = LINE_RATE;
  private said = 0;
  private clearedAt: number | null = null;
  private played: (() => void) | null = null;

  constructor(private readonly call: TakenCall) {}

  async say(samples: Int16Array): Promise<Heard & { readonly isReliable: boolean }> {
    this.clearedAt = null;
    const from = this.call.say(encodeMuLaw(samples));
    this.said += 1;
    this.call.mark(String(this.said));
    await new Promise<void>((resolve) => (this.played = resolve));
    const end = from + (samples.length / LINE_RATE) * 1_000;
    return { from, to: Math.min(end, this.clearedAt ?? end), isReliable: true };
  }

  hush(): void {
    if (this.played !== null) this.clearedAt = this.call.clear();
  }

  marked(name: string): void {
    if (name !== String(this.said)) return;
    this.played?.();
    this.played = null;
  }
}

runKnownAgents(z.object({ turns: KnownTurns }), async ({ turns }, report) => {
  const server = await LineServer.start((call): LineAgent => {
    const voice = new MediaVoice(call);
    const agent = new KnownAgent(voice, turns, report);
    return {
      started: () => undefined,
      // A frame that comes now holds the time before it.
      heard: (codes, at) => agent.hear(decodeMuLaw(codes), at - MEDIA_MS, LINE_RATE),
      marked: (name) => voice.marked(name),
      ended: () => undefined,
    };
  });
  report({ type: 'ready', url: server.url });
  return { end: () => server.close() };
});
