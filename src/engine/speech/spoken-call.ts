import type { AgentSound, Reply, SpokenPatient, SpokenSpan, SpokenTurn, Utterance } from '../../agents';
import { METRICS_VERSION } from '../../../contract/speech-measures';
import { DISTURBANCES, SPEAKING_RATES, type SpokenRun } from '../../domain';
import type { ScenarioSpeech } from '../../../contract/scenario-speech';
import { seedOf } from '../audio/seeded-values';
import type { TrackPiece } from '../audio/recording-pieces';
import { CallRecording, type RecordingFacts } from './call-recording';
import { HeardAgent, inSamples } from './heard-agent';
import type { HeardReply } from './heard-turn';
import type { PatientUtterance, PatientSound } from './patient-utterance';
import { RECORDED_RATE } from './recorded-rate';
import { SpeechError } from './speech-error';
import type { ControlResult } from './speech-jobs';
import type { SpeechThread } from './speech-thread';

/** What determines how a conversation sounds. */
export interface CallPlan {
  readonly spoken: SpokenRun;
  readonly noise: PatientSound['noise'];
  /** BCP 47. */
  readonly language: string;
  readonly scenarioId: string;
  /** Of the scenario run: turns name the attempt that recorded them. */
  readonly attempt: number;
  /** How the scenario's patient speaks. */
  readonly speech: ScenarioSpeech;
  /** From 1. */
  readonly trial: number;
}

export interface CallParts {
  readonly thread: Pick<SpeechThread, 'run'>;
  readonly control: ControlResult;
  /** Keeps a piece of the recording; null: nothing is kept. */
  readonly keep: ((piece: TrackPiece) => Promise<boolean>) | null;
  /** Called once, when a piece could not be kept. */
  readonly onGap: (error: unknown) => void;
}

/** What is kept with a turn of what was said and heard (`contract/spoken-turns.ts`). Times are ms since the call began. */
export type SpokenNotes = Readonly<Record<string, unknown>>;

/** What is kept of a call as a whole. */
export interface CallFacts {
  readonly metrics_version: typeof METRICS_VERSION;
  readonly minutes: number;
  /** When the patient could first be heard. */
  readonly start_ms: number | null;
  readonly control_clip: {
    readonly duration_ms: number;
    readonly voiced_ms: number;
    readonly level_dbfs: number;
    /** Of the ear; null without one, and in a language without a control sentence. */
    readonly word_error_rate: number | null;
    /** Whether the words that the ear heard were compared with those said; null without an ear. */
    readonly hearing: 'checked' | 'not_checked' | null;
  };
  /** Null where none is kept. */
  readonly recording: RecordingFacts | null;
}

/** Times are rounded by less. */
const SAMPLES_OF_ROUNDING = 2;

/** Edges of an echo are as uncertain as those of a voice. */
const ECHO_EDGE_MS = 40;

/** As the scenario has them. */
export interface PressedKeys {
  readonly keys: string;
}

/** What the patient says in one turn, and when it went out. */
interface UnderWay {
  /** Null where the patient speaks. */
  readonly keys: string | null;
  readonly utterance: PatientUtterance;
  said: SpokenSpan | null;
  interjected: SpokenSpan | null;
}

/** One spoken conversation: what the patient says in it, what is heard of the agent, and the recording of both. */
export class SpokenCall {
  private readonly agent = new HeardAgent();
  private readonly recording: CallRecording | null;
  private underWay: UnderWay | null = null;
  private endMs = 0;

  constructor(
    private readonly plan: CallPlan,
    private readonly parts: CallParts,
  ) {
    const { thread, keep, onGap } = parts;
    const never = new AbortController().signal;
    this.recording =
      keep === null
        ? null
        : new CallRecording({ keep, onGap, pack: (samples) => thread.run('pack', { samples }, never) });
    this.patient = {
      // Without an ear, what the agent says that it said is needed.
      hearsWords: plan.spoken.ear !== null,
      utter: () => this.uttered(),
      onUttered: (part, span) => this.wentOut(part, span),
      onSound: (sound) => this.hear(sound),
    };
  }

  /** What the provider of the conversation is given; the floor is of no interest here. */
  readonly patient: Omit<SpokenPatient, 'onFloor'>;

  /** Makes the sound of a message, which is said next, or of the keys that are pressed in its place. @throws SpeechError */
  async prepare(turn: number, message: string | PressedKeys, signal: AbortSignal): Promise<void> {
    const { spoken, noise, language, scenarioId, trial, speech } = this.plan;
    const keys = typeof message === 'string' ? null : message.keys;
    const { line, sounds, seed, voice_engine: engine } = spoken;
    const utterance = await this.parts.thread.run(
      'utter',
      {
        message: typeof message === 'string' ? message : '',
        keys,
        language,
        line,
        noise,
        sounds,
        voice: engine.voice,
        rate: rateOf(engine.rate, speech),
        seed: seedOf(seed, scenarioId, trial, turn),
        manner: speech.manner ?? null,
        certain: DISTURBANCES.filter((kind) => speech[kind]?.includes(turn) === true),
      },
      signal,
    );
    this.underWay = { keys, utterance, said: null, interjected: null };
  }

  /** What the agent said before the patient did, as it was audible; the first turn begins after it. @throws SpeechError of the ear */
  async greeting(own: string | null, signal: AbortSignal): Promise<string | null> {
    const { content } = await this.heard({ own, isBrokenOff: false, echoes: [] }, signal);
    return content === '' ? null : content;
  }

  /**
   * What was audible of the reply to what was said last, and what is kept of the turn.
   * @throws SpeechError of the ear
   */
  async reply(
    { content, spoken }: Reply,
    signal: AbortSignal,
  ): Promise<{ readonly content: string; readonly notes: SpokenNotes }> {
    // Last words are told without their times.
    const heard = await this.heard(spoken ?? { own: content, isBrokenOff: true, echoes: [] }, signal);
    return { content: heard.content, notes: this.notesOf(spoken ?? null, content, heard) };
  }

  /** Ends the recording, once all has been heard. Never fails. */
  async finish(): Promise<CallFacts> {
    const { clip } = this.parts.control;
    const recording = this.recording === null ? null : await this.recording.finish();
    return {
      metrics_version: METRICS_VERSION,
      minutes: Math.round(Math.max(this.endMs, inMs(this.agent.heardUntil)) / 600) / 100,
      // An agent may come long after the call began: when it could first hear the patient is not told.
      start_ms: null,
      control_clip: {
        duration_ms: clip.durationMs,
        voiced_ms: clip.voicedMs,
        level_dbfs: Math.round(clip.levelDbfs * 10) / 10,
        word_error_rate: clip.heard?.wordErrorRate ?? null,
        hearing: clip.heard === null ? null : clip.heard.wordErrorRate === null ? 'not_checked' : 'checked',
      },
      recording,
    };
  }

  private uttered(): Promise<Utterance> {
    if (this.underWay === null) return Promise.reject(new Error('The patient was to speak and had nothing to say.'));
    const { samples, keys, interjection } = this.underWay.utterance;
    return Promise.resolve({
      samples,
      keys,
      interjection:
        interjection === null
          ? null
          : { kind: interjection.kind, afterMs: interjection.afterMs, samples: interjection.samples },
    });
  }

  private wentOut(part: 'turn' | 'interjection', span: SpokenSpan): void {
    if (this.underWay === null) return;
    const { utterance } = this.underWay;
    const placed = onGrid(span);
    this.endMs = Math.max(this.endMs, placed.to);
    const recorded = part === 'turn' ? utterance.recorded : (utterance.interjection?.recorded ?? new Int16Array());
    if (part === 'turn') this.underWay.said = placed;
    else this.underWay.interjected = placed;
    // What was hushed was not said to its end.
    const said = inSamples(placed.to - placed.from);
    const isWhole = said >= recorded.length - SAMPLES_OF_ROUNDING;
    this.recording?.addPatient(inSamples(placed.from), isWhole ? recorded : recorded.slice(0, said));
  }

  private hear(sound: AgentSound): void {
    const placed = this.agent.add(sound);
    if (placed !== null) this.recording?.addAgent(placed);
  }

  /** Where the patient's own voice came back, the agent was not heard. */
  private async heard(
    { own, isBrokenOff, echoes }: Pick<SpokenTurn, 'own' | 'isBrokenOff' | 'echoes'>,
    signal: AbortSignal,
  ): Promise<PlacedReply> {
    const { firstSample, turnFrom, samples } = this.agent.takeTurn();
    for (const { from, to } of echoes) {
      samples.fill(
        0,
        ...[from - ECHO_EDGE_MS, to + ECHO_EDGE_MS].map((ms) => Math.max(0, inSamples(ms) - firstSample)),
      );
    }
    const { language, spoken } = this.plan;
    const reply = await this.parts.thread.run(
      'hear',
      { samples, turnFrom: turnFrom - firstSample, own, language, isBrokenOff, hears: spoken.ear !== null },
      signal,
    );
    const from = inMs(turnFrom);
    const placed = <Timed extends SpokenSpan>(timed: Timed): Timed => ({
      ...timed,
      from: from + timed.from,
      to: from + timed.to,
    });
    return { ...reply, voiced: reply.voiced.map(placed), sentences: reply.sentences.map(placed) };
  }

  private notesOf(told: SpokenTurn | null, own: string, heard: PlacedReply): SpokenNotes {
    const { keys = null, utterance = null, said = null, interjected = null } = this.underWay ?? {};
    const span = said ?? told?.said ?? { from: 0, to: 0 };
    const at = <Timed extends SpokenSpan>({ from, to, ...rest }: Timed) => ({
      ...rest,
      ...msOf({ from: span.from + from, to: span.from + to }),
    });
    const interjection = told?.interjection ?? null;
    const first = heard.voiced.find(({ from }) => from >= span.to);
    const isPremature = heard.voiced.some(({ from, to }) => from < span.to && to > span.from);
    return {
      attempt: this.plan.attempt,
      ...msOf(span),
      keys,
      sentences: utterance?.sentences.map(at) ?? [],
      pauses: utterance?.pauses.map(({ scriptedMs, ...pause }) => ({ ...at(pause), scripted_ms: scriptedMs })) ?? [],
      disturbances: utterance?.disturbances.map(at) ?? [],
      interjection:
        interjection === null || interjected === null
          ? null
          : {
              kind: interjection.kind,
              ...msOf(interjected),
              reliable: interjection.isReliable,
              agent_unfinished: told?.hadMoreToSay === true ? true : heard.isUnfinished,
              words: utterance?.interjection?.words ?? '',
            },
      agent: heard.voiced.map(msOf),
      agent_sentences: heard.sentences.map(({ id, certain, ...times }) => ({ id, ...msOf(times), certain })),
      own: told === null ? own : told.own,
      heard: heard.heard,
      heard_doubtful: heard.isDoubtful,
      heard_by_agent: told?.understood ?? null,
      inaudible: heard.isInaudible,
      latency_ms: first === undefined || isPremature ? null : rounded(first.from - span.to),
      timing_reliable: told?.isReliable ?? false,
    };
  }
}

const SLOW_RATE = 0.75;

/** In the bounds of an engine, whatever run and scenario ask for. */
function rateOf(ofRun: number, { rate = 1, manner }: ScenarioSpeech): number {
  const asked = ofRun * rate * (manner === 'slow' ? SLOW_RATE : 1);
  return Math.min(SPEAKING_RATES.most, Math.max(SPEAKING_RATES.least, asked));
}

interface PlacedReply extends Omit<HeardReply, 'voiced'> {
  readonly voiced: readonly SpokenSpan[];
}

/** A span that begins with a sample of the recording: what is kept there begins where the turn says. */
function onGrid({ from, to }: SpokenSpan): SpokenSpan {
  const start = inMs(inSamples(Math.max(0, from)));
  return { from: start, to: start + Math.max(0, to - from) };
}

const inMs = (samples: number) => (samples * 1_000) / RECORDED_RATE;
/** Steps of a sample are kept: 0.0625 ms. */
const rounded = (ms: number) => Math.round(ms * 10_000) / 10_000;
const msOf = ({ from, to }: SpokenSpan) => ({ from_ms: rounded(from), to_ms: rounded(to) });

/** The engines that a run was made with, and no others. @throws SpeechError */
export function requireEngines({ voice_engine: wanted, ear }: SpokenRun, found: ControlResult): void {
  const { engine, version } = found.voice;
  if (engine !== wanted.engine || version !== wanted.version) {
    throw new SpeechError(
      'engine_missing',
      `The run is spoken by ${wanted.engine} ${wanted.version}, and this process has ${engine} ${version}: start the run again, or set up the same voice on every process.`,
    );
  }
  if (ear === null || (found.ear?.engine === ear.engine && found.ear.model === ear.model)) return;
  const has = found.ear === null ? 'none' : `${found.ear.model} at ${found.ear.engine}`;
  throw new SpeechError(
    'model_unknown',
    `The run is heard by ${ear.model} at ${ear.engine}, and this process has ${has}: start the run again, or set TRANSCRIPTION_URL on every process.`,
  );
}
