import type { ProviderError } from '../errors';
import type { HeldFloor, InterjectionKind, PressedKey, Utterance } from '../provider';
import { CallFloor, type CallEvent, type HeardSound, type Uttered } from './call-floor';
import type { Echo } from './echo-watch';
import { isTimeable } from './line-quality';
import { machineMs, SPOKEN_RATE, type Heard } from './sound-clocks';
import { floorIsOursAt, holdsWords, isBlip } from './turn-end';
import type { HeldInterjection } from './call-sound';
import type { Waiting } from './waiting';

/** In a call, silence alone gives us the floor. */
const LOOK_AGAIN_MS = 50;
/** An utterance takes its own time, and this at most for the way to the room's process and into its queue. */
const SAY_GRACE_MS = 10_000;

/** Pieces of a second that are kept until the agent is known. */
const MOST_EARLY = 60;

/** Those who can be heard in a call, and which of them are the agent. */
export interface CallPresence {
  /** Null: it is not known yet. */
  readonly agent: object | null;
  /** Neither thinking nor speaking, as far as it tells. */
  readonly isListening: boolean;
  isAgent(identity: string): boolean;
  readonly agentIdentities: readonly string[];
}

/** What is asked of the process or thread that carries the sound of a call. */
export type CallMessage =
  | {
      readonly type: 'say';
      readonly utterance: number;
      readonly samples: Int16Array;
      readonly keys: readonly PressedKey[];
      readonly interjection: HeldInterjection | null;
    }
  | { readonly type: 'turnOver' }
  /** After a `turnOver`: what was heard was no answer, which is waited for. */
  | { readonly type: 'turnGoesOn' };

/** What a call needs of the room or the line that it takes place in. */
export interface CallRoom {
  readonly presence: CallPresence;
  readonly end: { throwIfFailed(): null };
  readonly waiting: Waiting;
  readonly post: (message: CallMessage, signal: AbortSignal) => Promise<void>;
  readonly hush: () => void;
  /** The error of something said of which nothing was heard again. */
  readonly lost: () => ProviderError;
}

/** How long the agent may take with an answer. */
export interface AnswerLimits {
  /** It begins within this time from the end of what it was told, in ms. */
  readonly beginsMs: number;
  /** It ends within this time from its beginning; in ms. */
  readonly endsMs: number;
  /** The error of an agent that has not begun. */
  readonly late: () => ProviderError;
}

export interface WaitLimit {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly late: () => ProviderError;
}

/** What was heard of the agent in a turn. Times are machine ms. */
export interface Answer {
  readonly heard: readonly Heard[];
  readonly interjection: Uttered | null;
  /** Where the patient's own voice came back, which is in none of it. */
  readonly echoes: readonly Echo[];
  /** It had not ended: the patient took the floor. */
  readonly isCutOff: boolean;
  /** What the way here did to the sound leaves its times believable. */
  readonly isTimeable: boolean;
}

interface Turn {
  readonly said: Heard;
  /** What came back of what was said. */
  readonly echoes: readonly Echo[];
  readonly interjection: { readonly utterance: number; readonly kind: InterjectionKind } | null;
}

/** Before the patient's words, while they are said, and until the answer to them is over. */
type Stage = 'ours' | 'saying' | 'answering';

/** Speaking with the agent in a room: turns of the patient, and who has the floor. */
export class AgentCall {
  private readonly floor = new CallFloor();
  private utterances = 0;
  private turn: Turn = { said: { from: 0, to: 0 }, echoes: [], interjection: null };
  private stage: Stage = 'ours';
  private toldFloor: Pick<HeldFloor, 'holder' | 'isSpeaking'> = { holder: 'patient', isSpeaking: false };
  private floorHandler: (floor: HeldFloor) => void = () => undefined;
  /** The one whose sound is the agent's: the first that was heard. Another may stand in for it (an avatar). */
  private voice: string | null = null;

  /** @param onSound receives what the agent says, in order */
  constructor(
    private readonly room: CallRoom,
    onSound: (sound: HeardSound) => void,
  ) {
    const early: { readonly sender: string; readonly sound: HeardSound }[] = [];
    this.floor.onSound((sender, sound) => {
      early.push({ sender, sound });
      // An agent may speak before it is known to be the agent.
      if (room.presence.agent === null) return void early.splice(0, early.length - MOST_EARLY);
      for (const one of early.splice(0)) {
        if (this.isAgent(one.sender)) this.voice ??= one.sender;
        if (one.sender === this.voice) onSound(one.sound);
      }
    });
  }

  hear(event: CallEvent): void {
    this.floor.hear(event);
    if (event.type === 'voice') this.tellFloor(event.at);
  }

  /** Receives who has the floor, now and whenever that changes. */
  onFloor(handler: (floor: HeldFloor) => void): void {
    this.floorHandler = handler;
    handler({ ...this.toldFloor, forMs: 0 });
  }

  /** The agent has a voice in the room, whether it says something or not. */
  get agentHasVoice(): boolean {
    return this.floor.hasVoice(this.isAgent);
  }

  /** Says something to the end, and lets the room's process say what is to be said into the answer. */
  async say({ samples, keys = [], interjection }: Utterance, signal: AbortSignal): Promise<Uttered> {
    const utterance = this.nextUtterance();
    const planned = interjection === null ? null : this.planned(interjection);
    this.enter('saying', machineMs());
    await this.room.post({ type: 'say', utterance, samples, keys, interjection: planned }, signal);
    const said = await this.room.waiting.for({
      look: () => this.room.end.throwIfFailed() ?? this.floor.saidAs(utterance),
      deadline: performance.now() + (samples.length / SPOKEN_RATE) * 1_000 + SAY_GRACE_MS,
      late: this.room.lost,
      signal,
    });
    const kind = interjection?.kind;
    this.turn = {
      said,
      echoes: [],
      interjection: planned === null || kind === undefined ? null : { utterance: planned.utterance, kind },
    };
    this.enter('answering', said.to);
    return said;
  }

  /** Falls silent in the middle of what it is saying. */
  hush(): void {
    this.room.hush();
  }

  /** Waits for what the agent says to the last `say`, until the floor is ours. @throws ProviderError what `late` says; why the room ended */
  async answer(limits: AnswerLimits, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      const { heard, isCutOff } = await this.heard(limits, signal);
      await this.room.post({ type: 'turnOver' }, signal);
      const { quality, echoes } = this.floor.turnSound;
      const isNew = heard.some((span) => isAmong(echoes, span));
      this.turn = { ...this.turn, echoes };
      // What came back was no answer. And something may have begun to be said before the turn was ended: then it belongs to it.
      if ((isNew || this.isInterjecting) && !isCutOff) {
        await this.room.post({ type: 'turnGoesOn' }, signal);
        continue;
      }
      this.enter('ours', machineMs());
      return {
        heard: this.withoutEchoes(heard),
        interjection: this.interjectionSoFar,
        echoes,
        isCutOff,
        isTimeable: isTimeable(quality),
      };
    }
  }

  /** What has been heard of the agent since the last turn began. */
  get heardSoFar(): readonly Heard[] {
    return this.withoutEchoes(this.floor.heardSince(this.turn.said.from, machineMs(), this.isAgent));
  }

  /** Where the patient's own voice came back in the last turn. */
  get echoes(): readonly Echo[] {
    return this.turn.echoes;
  }

  /** How much later it came back; null when it did not. */
  get echoMs(): number | null {
    return this.turn.echoes[0]?.delayMs ?? null;
  }

  /** What has been said into the answer to the last turn by now; null when nothing was, or it is being said. */
  get interjectionSoFar(): Uttered | null {
    const { interjection } = this.turn;
    return interjection === null ? null : this.floor.saidAs(interjection.utterance);
  }

  /**
   * When the agent spoke since a moment, once it has been silent for so long.
   * @param since machine ms
   * @throws ProviderError what `late` says at the deadline; why the room ended
   */
  silence(since: number, silenceMs: number, { deadline, late }: WaitLimit, signal: AbortSignal): Promise<Heard[]> {
    return this.room.waiting.for({
      look: () => {
        this.room.end.throwIfFailed();
        const spans = this.floor.spokenSince(since, this.isAgent);
        const last = spans.at(-1);
        return last !== undefined && this.isSilent && machineMs() - last.to >= silenceMs ? spans : null;
      },
      lookAgainIn: () => LOOK_AGAIN_MS,
      deadline,
      late,
      signal,
    });
  }

  /** Waits until the agent begins to speak. @param since machine ms @throws as `silence` */
  beginning(since: number, { deadline, late }: WaitLimit, signal: AbortSignal): Promise<true> {
    return this.room.waiting.for({
      look: () => {
        this.room.end.throwIfFailed();
        return this.floor.heardSince(since, machineMs(), this.isAgent).length > 0 ? true : null;
      },
      deadline,
      late,
      signal,
    });
  }

  private heard(
    { beginsMs, endsMs, late }: AnswerLimits,
    signal: AbortSignal,
  ): Promise<{ readonly heard: readonly Heard[]; readonly isCutOff: boolean }> {
    return this.room.waiting.for({
      look: () => {
        this.room.end.throwIfFailed();
        const { said } = this.turn;
        const now = machineMs();
        const heard = this.heardSoFar;
        if (heard.length === 0) {
          if (now - said.to >= beginsMs) throw late();
          return null;
        }
        const begun = heard.find((span) => !isBlip(span, said));
        if (begun !== undefined && now - Math.max(begun.from, said.to) >= endsMs) return { heard, isCutOff: true };
        if (!this.isSilent || this.isInterjecting) return null;
        const interjection = this.interjectionSoFar;
        const kind = this.turn.interjection?.kind;
        const spoken = interjection === null || kind === undefined ? null : { ...interjection, kind };
        if (now < floorIsOursAt({ said, interjection: spoken, heard, beginsMs })) return null;
        if (!holdsWords(heard, said)) throw late();
        return { heard, isCutOff: false };
      },
      lookAgainIn: () => LOOK_AGAIN_MS,
      deadline: Number.POSITIVE_INFINITY,
      late,
      signal,
    });
  }

  /** @param at machine ms */
  private enter(stage: Stage, at: number): void {
    this.stage = stage;
    this.tellFloor(at);
  }

  /** Tells who has the floor, if that has changed. @param at since when, in machine ms */
  private tellFloor(at: number): void {
    const { holder, isSpeaking } = heldFloor(this.stage, this.floor.isSpeaking(this.isAgent));
    if (holder === this.toldFloor.holder && isSpeaking === this.toldFloor.isSpeaking) return;
    this.toldFloor = { holder, isSpeaking };
    this.floorHandler({ holder, isSpeaking, forMs: Math.max(0, machineMs() - at) });
  }

  private get isSilent(): boolean {
    return !this.floor.isSpeaking(this.isAgent) && this.room.presence.isListening;
  }

  private get isInterjecting(): boolean {
    const { interjection } = this.turn;
    return interjection !== null && this.floor.isBeingSaid(interjection.utterance);
  }

  private withoutEchoes(heard: readonly Heard[]): Heard[] {
    return heard.filter((span) => !isAmong(this.turn.echoes, span));
  }

  private planned({ afterMs, samples }: NonNullable<Utterance['interjection']>): HeldInterjection {
    return { utterance: this.nextUtterance(), afterMs, samples, speakers: [...this.room.presence.agentIdentities] };
  }

  private nextUtterance(): number {
    this.utterances += 1;
    return this.utterances;
  }

  private readonly isAgent = (identity: string): boolean => this.room.presence.isAgent(identity);
}

/** An agent that speaks has the floor, unless it speaks into the patient's words. */
function heldFloor(stage: Stage, isAgentSpeaking: boolean): Pick<HeldFloor, 'holder' | 'isSpeaking'> {
  if (stage === 'saying') return { holder: 'patient', isSpeaking: true };
  if (isAgentSpeaking) return { holder: 'agent', isSpeaking: true };
  return { holder: stage === 'answering' ? 'agent' : 'patient', isSpeaking: false };
}

function isAmong(echoes: readonly Echo[], { from, to }: Heard): boolean {
  return echoes.some((echo) => echo.from === from && echo.to === to);
}
