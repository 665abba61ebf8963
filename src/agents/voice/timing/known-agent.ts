import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs, type Heard } from '../sound-clocks';
import { constructedVoice, loudIn } from './constructed-voice';
import type { KnownAgentEvent, KnownTurn } from './known-agent-wire';

/** How an agent of known delays speaks where it is called. */
export interface KnownVoice {
  /** Samples a second that it takes. */
  readonly rate: number;
  /** Says it at once. Resolves at its end, with when it was said. */
  say(samples: Int16Array): Promise<Heard & { readonly isReliable: boolean }>;
  /** Falls silent in the middle of what it says. */
  hush(): void;
}

/** A constructed voice has no pause as long as this: it has ended. */
const ENDED_MS = 120;
/** What follows an interruption within this time is part of it. */
const APART_MS = 300;
/** A timer is late by a millisecond or two. */
const TIMER_MS = 2;

/**
 * An agent whose delays are known. It answers each utterance after the delay of its script and writes down when it did, with the clock that
 * its examiner has too: what differs is the examiner's error.
 */
export class KnownAgent {
  private turn = 0;
  /** Machine ms of the last loud sample that was heard, null once it has been answered. */
  private lastLoud: number | null = null;
  private speaking: KnownTurn | null = null;
  private interruptedAt: number | null = null;
  /** Machine ms of the end of an interruption so far: its rest is no turn of the patient. */
  private interruptedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly voice: KnownVoice,
    private readonly turns: readonly KnownTurn[],
    private readonly report: (event: KnownAgentEvent) => void,
  ) {}

  /** @param at machine ms of the first sample @param rate samples a second */
  hear(samples: Int16Array, at: number, rate: number): void {
    const timeOf = (sample: number): number => at + (sample / rate) * 1_000;
    const loud = loudIn(samples);
    if (loud === null) return this.hearSilence(timeOf(samples.length));
    const isInterruption = this.speaking !== null || timeOf(loud.first) - this.interruptedUntil < APART_MS;
    if (this.speaking !== null) this.interrupted(this.speaking, timeOf(loud.first));
    if (isInterruption) {
      this.interruptedUntil = timeOf(loud.last + 1);
      return;
    }
    this.lastLoud = timeOf(loud.last + 1);
  }

  /** Silence that was heard, not time in which nothing came: a patient whose sound is held up has not ended. */
  private hearSilence(until: number): void {
    if (this.lastLoud !== null && until - this.lastLoud >= ENDED_MS) void this.answer();
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
    const sound = constructedVoice(script.speechMs, this.voice.rate);
    await sleep(Math.max(0, heardEnd + script.delayMs - machineMs() - TIMER_MS));
    this.speaking = script;
    const { from, to, isReliable } = await this.voice.say(sound);
    this.speaking = null;
    const { interruptedAt } = this;
    this.interruptedAt = null;
    this.report({ type: 'answered', turn, heardEnd, from, to, isReliable, interruptedAt });
  }
}
