import type { Line } from '../../domain';
import { RecentMap } from '../../platform/concurrency';
import type { SpeechSettings } from '../../platform/config';
import { Egress, type EgressRules } from '../../platform/egress';
import { piecesOf, type RecordingPiece } from '../audio/recording-pieces';
import { controlClip, type ControlClip } from './control-clip';
import type { Ear } from './ear';
import { openEar, openVoice } from './from-settings';
import { heardReply, type HeardReply, type TurnSound } from './heard-turn';
import { PatientVoice } from './patient-voice';
import { utteranceOf, type PatientUtterance, type UtteranceRequest } from './patient-utterance';
import type { RunProgram } from './program';
import { RECORDED_RATE } from './recorded-rate';
import type { TranscriberIdentity } from './transcriber';
import type { VoiceIdentity } from './voice';

/** What a thread is given once: where it finds the voice and the ear. */
export interface SpeechSetup {
  readonly speech: SpeechSettings;
  readonly egress: EgressRules;
}

/** A voice, and the language that it speaks. */
interface Spoken {
  readonly voice: string;
  /** A multiple of the usual rate. */
  readonly rate: number;
  readonly language: string;
}

/** A voice as it is asked for before a run is stored. */
export interface EnginesRequest {
  /** Null: that of the settings, or the engine's usual one. */
  readonly voice: string | null;
  /** A multiple of the usual rate. */
  readonly rate: number;
  /** The setting or the field that the voice is from, for sentences. */
  readonly namedBy: string;
}

/** Who speaks, and who hears. */
export interface FoundEngines {
  readonly voice: VoiceIdentity;
  /** Null: no transcriber is set. */
  readonly ear: TranscriberIdentity | null;
}

/** The engines as a thread has found them. */
export interface ControlResult extends FoundEngines {
  readonly clip: Omit<ControlClip, 'sound'>;
}

interface Jobs {
  /** Opens a voice and has it say a word. */
  readonly engines: { readonly request: EnginesRequest; readonly result: FoundEngines };
  /** The control sentence through voice, line and ear. */
  readonly control: {
    readonly request: Spoken & { readonly line: Line; readonly hears: boolean; readonly seed: number };
    readonly result: ControlResult;
  };
  /** Makes the sound of a message. */
  readonly utter: { readonly request: Spoken & UtteranceRequest; readonly result: PatientUtterance };
  /** Finds what was audible of the agent. */
  readonly hear: { readonly request: TurnSound & { readonly hears: boolean }; readonly result: HeardReply };
  /** Packs a part of a track for keeping. */
  readonly pack: { readonly request: { readonly samples: Int16Array }; readonly result: readonly RecordingPiece[] };
}

export type SpeechJobName = keyof Jobs;
export type SpeechRequest<Name extends SpeechJobName> = Jobs[Name]['request'];
export type SpeechResult<Name extends SpeechJobName> = Jobs[Name]['result'];

/** A server is asked for its voice only when something is said. */
const A_WORD = 'Hello.';
/** Each keeps up to five minutes of sound: 29 MB. */
const MOST_VOICES = 8;

/** Does what takes a processor or a server: voices, ears, filters, detectors. It keeps the engines that it has opened, and sentences once said. */
export class SpeechBench {
  /** Null where a voice could not be opened: the next that asks tries again. */
  private readonly voices = new RecentMap<Promise<PatientVoice> | null>(MOST_VOICES);
  private readonly ears = new Map<string, Ear | null>();
  private readonly egress: Egress;
  /** Engines are opened for all who ask for them, whoever of them still waits. */
  private readonly life = new AbortController();

  /** @param runs how a program that speaks is started; from this process where it is not given */
  constructor(
    private readonly setup: SpeechSetup,
    private readonly runs?: RunProgram,
  ) {
    this.egress = new Egress(setup.egress);
  }

  /** @throws SpeechError */
  do<Name extends SpeechJobName>(
    name: Name,
    request: SpeechRequest<Name>,
    signal: AbortSignal,
  ): Promise<SpeechResult<Name>> {
    return this.jobs[name](request, signal);
  }

  private readonly jobs: {
    readonly [Name in SpeechJobName]: (
      request: SpeechRequest<Name>,
      signal: AbortSignal,
    ) => Promise<SpeechResult<Name>>;
  } = {
    // Nothing that is kept answers for it: the voice has to speak now.
    engines: async ({ voice, rate, namedBy }, signal) => {
      const opened = await openVoice(this.setup.speech, this.egress, { voice, rate, namedBy, runs: this.runs }, signal);
      try {
        await opened.synthesize(A_WORD, signal);
        const ear = openEar(this.setup.speech, this.egress);
        await ear?.close();
        return { voice: opened.identity, ear: ear?.identity ?? null };
      } finally {
        await opened.close();
      }
    },
    control: async ({ line, hears, seed, ...spoken }, signal) => {
      const [voice, ear] = [await this.voiceOf(spoken), this.earOf(spoken.language, hears)];
      const { sound: _, ...clip } = await controlClip({ voice, line, ear, seed, language: spoken.language }, signal);
      return { clip, voice: voice.identity, ear: ear?.identity ?? null };
    },
    utter: async (request, signal) => utteranceOf(await this.voiceOf(request), request, signal),
    hear: ({ hears, ...turn }, signal) => heardReply(turn, this.earOf(turn.language, hears), signal),
    pack: ({ samples }) => Promise.resolve(piecesOf({ samples, rate: RECORDED_RATE })),
  };

  private voiceOf({ voice, rate, language }: Spoken): Promise<PatientVoice> {
    const key = JSON.stringify([voice, rate, language]);
    const known = this.voices.get(key) ?? null;
    if (known !== null) return known;
    const opening = openVoice(this.setup.speech, this.egress, { voice, rate, runs: this.runs }, this.life.signal).then(
      (opened) => new PatientVoice(opened, { language }),
    );
    this.voices.set(key, opening);
    opening.catch(() => this.voices.set(key, null));
    return opening;
  }

  private earOf(language: string, hears: boolean): Ear | null {
    if (!hears) return null;
    const known = this.ears.get(language);
    if (known !== undefined) return known;
    const ear = openEar(this.setup.speech, this.egress, language);
    this.ears.set(language, ear);
    return ear;
  }
}
