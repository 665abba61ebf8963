import { setTimeout as sleep } from 'node:timers/promises';
import { Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { HeardTrack } from '../heard-track';
import { HEARD_RATE, machineMs, SPOKEN_RATE } from '../../voice/sound-clocks';
import { SpokenTrack } from '../spoken-track';
import type { HeardPiece } from '../../voice/track-mixer';
import { constructedVoice, loudIn } from './constructed-voice';
import { KnownAgentCommand, type KnownAgentEvent, type KnownTurn } from './known-agent-wire';

/**
 * An agent whose delays are known: a program of its own in a LiveKit room. It answers each utterance after the delay of its script and
 * writes down when it did, with the clock that its examiner has too: what differs is the examiner's error.
 */

/** A constructed voice has no pause as long as this: it has ended. */
const ENDED_MS = 120;
/** What follows an interruption within this time is part of it. */
const APART_MS = 300;
/** A timer is late by a millisecond or two. */
const TIMER_MS = 2;

function report(event: KnownAgentEvent): void {
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined);
}

class KnownAgent {
  private turn = 0;
  /** Machine ms of the last loud sample that was heard, null once it has been answered. */
  private lastLoud: number | null = null;
  private ending: NodeJS.Timeout | undefined;
  private speaking: KnownTurn | null = null;
  private interruptedAt: number | null = null;
  /** Machine ms of the end of an interruption so far: its rest is no turn of the patient. */
  private interruptedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly voice: SpokenTrack,
    private readonly turns: readonly KnownTurn[],
  ) {}

  hear({ samples, at }: HeardPiece): void {
    const loud = loudIn(samples);
    if (loud === null) return;
    const timeOf = (sample: number): number => at + (sample / HEARD_RATE) * 1_000;
    const isInterruption = this.speaking !== null || timeOf(loud.first) - this.interruptedUntil < APART_MS;
    if (this.speaking !== null) this.interrupted(this.speaking, timeOf(loud.first));
    if (isInterruption) {
      this.interruptedUntil = timeOf(loud.last + 1);
      return;
    }
    this.lastLoud = timeOf(loud.last + 1);
    clearTimeout(this.ending);
    this.ending = setTimeout(() => void this.answer(), Math.max(0, this.lastLoud + ENDED_MS - machineMs()));
  }

  private interrupted({ yieldsAfterMs }: KnownTurn, at: number): void {
    if (this.interruptedAt !== null) return;
    this.interruptedAt = at;
    if (yieldsAfterMs === null) return;
    setTimeout(() => this.voice.hush(), Math.max(0, at + yieldsAfterMs - machineMs()));
  }

  private async answer(): Promise<void> {
    const { lastLoud: heardEnd, turn } = this;
    const script = this.turns[turn];
    if (heardEnd === null || script === undefined) return;
    this.lastLoud = null;
    this.turn += 1;
    const sound = constructedVoice(script.speechMs, SPOKEN_RATE);
    await sleep(Math.max(0, heardEnd + script.delayMs - machineMs() - TIMER_MS));
    this.speaking = script;
    const { from, to, isReliable } = await this.voice.say(sound);
    this.speaking = null;
    const { interruptedAt } = this;
    this.interruptedAt = null;
    report({ type: 'answered', turn, heardEnd, from, to, isReliable, interruptedAt });
  }
}

async function begin({ url, token, turns }: KnownAgentCommand): Promise<void> {
  const room = new Room();
  let agent: KnownAgent | null = null;
  const isHeard = new Set<string>();
  room.on(RoomEvent.TrackSubscribed, (track) => {
    const { sid = '' } = track;
    if (track.kind !== TrackKind.KIND_AUDIO || isHeard.has(sid)) return;
    isHeard.add(sid);
    new HeardTrack(track, (piece) => agent?.hear(piece));
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const { localParticipant } = room;
  if (localParticipant === undefined) throw new Error('The room was not joined.');
  agent = new KnownAgent(await SpokenTrack.publish(localParticipant, 'agent'), turns);
  report({ type: 'ready' });
}

process.on('message', (message) => {
  const command = KnownAgentCommand.safeParse(message);
  if (!command.success) return;
  begin(command.data).catch((error: unknown) =>
    report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
// The library's own threads would keep the process alive forever.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
