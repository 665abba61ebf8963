import type { Echo } from './echo-watch';
import type { LineQuality } from './line-quality';
import type { Heard } from './sound-clocks';

/** Our utterance as it went out. */
export interface Uttered extends Heard {
  /** False when there is a hole in it: its times say nothing. */
  readonly isReliable: boolean;
  /** False when it was hushed. */
  readonly isWhole: boolean;
}

/** What became of the sound of a turn on its way here. */
export interface TurnSound {
  /** Null where it is not known. */
  readonly quality: LineQuality | null;
  readonly echoes: readonly Echo[];
}

interface Voice {
  readonly spans: Heard[];
  /** Null while it is silent. */
  since: number | null;
}

/** Sound of a participant, as it came: samples of HEARD_RATE. */
export interface HeardSound {
  readonly firstSample: number;
  readonly at: number;
  readonly samples: Int16Array;
}

interface VoiceEvent {
  readonly type: 'voice';
  readonly sender: string;
  readonly isSpeaking: boolean;
  /** Machine ms when the voice began or ended. */
  readonly at: number;
}

/** What is reported of a call from where its sound is carried. */
export type CallEvent =
  /** An utterance of ours has gone out. */
  | (Uttered & { readonly type: 'said'; readonly utterance: number })
  /** What was to be said into the agent's words is being said now; `said` follows. */
  | { readonly type: 'interjecting'; readonly utterance: number }
  /** Before the answer to `turnOver`. */
  | (TurnSound & { readonly type: 'turnSound' })
  /** A voice can be heard from now on, whether it says something or not. */
  | { readonly type: 'voiced'; readonly sender: string }
  /** A voice began to speak, or has been silent for a pause. */
  | VoiceEvent
  | (HeardSound & { readonly type: 'sound'; readonly sender: string });

/** Who spoke when in a call, as far as it is known while it goes on. */
export class CallFloor {
  /** Null while it is being said. */
  private readonly uttered = new Map<number, Uttered | null>();
  private sound: TurnSound = { quality: null, echoes: [] };
  private readonly voices = new Map<string, Voice>();
  private soundHandler: (sender: string, sound: HeardSound) => void = () => undefined;

  hear(event: CallEvent): void {
    switch (event.type) {
      case 'said':
        this.uttered.set(event.utterance, event);
        return;
      case 'interjecting':
        this.uttered.set(event.utterance, null);
        return;
      case 'turnSound':
        this.sound = event;
        return;
      case 'voiced':
        this.voiceOf(event.sender);
        return;
      case 'voice':
        return this.voiced(event);
      case 'sound':
        return this.soundHandler(event.sender, event);
    }
  }

  /** Receives every sound from now on. */
  onSound(handler: (sender: string, sound: HeardSound) => void): void {
    this.soundHandler = handler;
  }

  /** Null until it has gone out. */
  saidAs(utterance: number): Uttered | null {
    return this.uttered.get(utterance) ?? null;
  }

  /** What was to be said into the agent's words has begun, and its end has not been told. */
  isBeingSaid(utterance: number): boolean {
    return this.uttered.get(utterance) === null;
  }

  /** Of the turn that was ended last. */
  get turnSound(): TurnSound {
    return this.sound;
  }

  /** A speaker has a voice, whether it says something or not. */
  hasVoice(isSpeaker: (identity: string) => boolean): boolean {
    return this.of(isSpeaker).length > 0;
  }

  isSpeaking(isSpeaker: (identity: string) => boolean): boolean {
    return this.of(isSpeaker).some(({ since }) => since !== null);
  }

  /** As `spokenSince`, with what is being said by now. */
  heardSince(moment: number, now: number, isSpeaker: (identity: string) => boolean): Heard[] {
    const open = this.of(isSpeaker).flatMap(({ since }) => (since === null ? [] : [{ from: since, to: now }]));
    return [...this.spokenSince(moment, isSpeaker), ...open].toSorted((one, other) => one.from - other.from);
  }

  /** Stretches that ended after this moment, in the order they began; those without a pause between them are one. */
  spokenSince(moment: number, isSpeaker: (identity: string) => boolean): Heard[] {
    return this.of(isSpeaker)
      .flatMap(({ spans }) => spans.filter(({ to }) => to > moment))
      .toSorted((one, other) => one.from - other.from);
  }

  private voiced({ sender, isSpeaking, at }: VoiceEvent): void {
    const voice = this.voiceOf(sender);
    if (!isSpeaking && voice.since !== null) voice.spans.push({ from: voice.since, to: at });
    voice.since = isSpeaking ? at : null;
  }

  private voiceOf(sender: string): Voice {
    const voice = this.voices.get(sender) ?? { spans: [], since: null };
    this.voices.set(sender, voice);
    return voice;
  }

  private of(isSpeaker: (identity: string) => boolean): Voice[] {
    return [...this.voices].flatMap(([sender, voice]) => (isSpeaker(sender) ? [voice] : []));
  }
}
