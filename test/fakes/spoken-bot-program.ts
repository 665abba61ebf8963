import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
  type LocalParticipant,
} from '@livekit/rtc-node';
import { HeardTrack } from '../../src/agents/livekit/heard-track';
import { HeardVoice } from '../../src/agents/voice/heard-voice';
import { HEARD_RATE, SPOKEN_RATE } from '../../src/agents/voice/sound-clocks';
import { SpokenTrack } from '../../src/agents/livekit/spoken-track';
import { constructedVoice } from '../../src/agents/voice/timing/constructed-voice';
import { keysHeardIn } from '../setup/heard-keys';
import { SeededVoice } from './seeded-voice';

/** What a speaking bot does with each thing the patient says, in order. One process holds many bots. */
export interface SpokenBotScript {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** False: it comes without a voice. */
  readonly hasVoice: boolean;
  /** What it says once a patient hears it; null: it waits. */
  readonly greeting: string | null;
  /** How long after its sound it writes what it said in its greeting, in ms; null: before it. */
  readonly greetingWrittenAfterMs: number | null;
  readonly replies: readonly SpokenBotReply[];
  /** A second track with the noise of its surroundings. */
  readonly isNoisy: boolean;
  /** Its track has two channels of 48 kHz, and its voice is in the right one. */
  readonly isStereo: boolean;
  /** It tells what it says over RTVI instead of text streams. */
  readonly speaksRtvi: boolean;
  /** Which client-ready of the patient it hears first; it tells nothing over RTVI before. */
  readonly firstHeardReady: number;
}

export interface SpokenBotReply {
  /** What it says in `lk.transcription`; null: nothing. */
  readonly text: string | null;
  /** Of its sound; 0: none. Longer than a sentence, it has pauses for breath. */
  readonly soundMs: number;
  readonly delayMs: number;
  /** What it writes that it understood, in the name of the patient's track; null: nothing. */
  readonly understood: string | null;
  /** A message that is only shown. */
  readonly shown: string | null;
  readonly leaves: boolean;
  /** How long it goes on when the patient speaks into its words; null: to the end. */
  readonly stopsAfterMs: number | null;
  /** What it does after the patient has spoken into its words. */
  readonly then: 'answers' | 'resumes' | 'nothing';
  /** It leaves so long after it began to speak; null: not. */
  readonly leavesAfterMs: number | null;
  /** It takes its track back before it leaves. */
  readonly unpublishes: boolean;
  /** It does not wait: it says this so long after the patient began; null: it waits. */
  readonly premature: { readonly afterMs: number; readonly soundMs: number } | null;
  /** A tone instead of a voice. */
  readonly isTone: boolean;
  /** What the patient says comes back in its track so long after the patient began; null: it does not. */
  readonly echo: { readonly afterMs: number; readonly seed: number; readonly soundMs: number } | null;
}

/** Between an interruption's end and what goes on after it. */
const RESUMES_AFTER_MS = 2_000;
/** From a track's subscription until all of it is heard, on a busy machine. */
const SETTLES_MS = 500;
const SENTENCE_MS = 1_100;
const BREATH_MS = 120;

/** @param event `joined NAME`, or why not; `key NAME EVENT KEY` and `tones NAME KEYS`, of what the patient pressed, as it was told and heard */
const tell = (event: string): void => void process.send?.(event, undefined, undefined, () => undefined);

async function write(participant: LocalParticipant, text: string, attributes: Record<string, string>): Promise<void> {
  const topic = attributes['topic'] ?? 'lk.transcription';
  const writer = await participant.streamText({ topic, attributes });
  for (const word of text.split(/(?<= )/)) await writer.write(word);
  await writer.close();
}

/** Made once: while a voice is made, no bot of the process is fed with sound. */
const SENTENCE = constructedVoice(SENTENCE_MS, SPOKEN_RATE);

/** A voice that breathes after each sentence. */
function speechOf(milliseconds: number): Int16Array {
  if (milliseconds <= SENTENCE_MS) return constructedVoice(milliseconds, SPOKEN_RATE);
  const samples = new Int16Array((milliseconds * SPOKEN_RATE) / 1_000);
  for (let from = 0; from < milliseconds; from += SENTENCE_MS + BREATH_MS) {
    const left = ((milliseconds - from) * SPOKEN_RATE) / 1_000;
    samples.set(SENTENCE.subarray(0, left), (from * SPOKEN_RATE) / 1_000);
  }
  return samples;
}

/** A voice in the right of two channels. */
class StereoTrack {
  private constructor(private readonly source: AudioSource) {}

  static async publish(participant: LocalParticipant, name: string): Promise<StereoTrack> {
    const source = new AudioSource(SPOKEN_RATE, 2, 1_000);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false, red: false });
    await participant.publishTrack(LocalAudioTrack.createAudioTrack(name, source), options);
    return new StereoTrack(source);
  }

  /** @param samples mono, of SPOKEN_RATE */
  async say(samples: Int16Array): Promise<void> {
    const frame = SPOKEN_RATE / 100;
    for (let at = 0; at < samples.length; at += frame) {
      const both = new Int16Array(2 * frame);
      samples.subarray(at, at + frame).forEach((sample, place) => {
        both[2 * place + 1] = sample;
      });
      await this.source.captureFrame(new AudioFrame(both, SPOKEN_RATE, 2, frame));
    }
  }

  hush(): void {
    this.source.clearQueue();
  }
}

class SpokenBot {
  private readonly room = new Room();
  private voice: Pick<SpokenTrack, 'say' | 'hush'> | StereoTrack | null = null;
  private patientTrack = '';
  private readonly heard: Int16Array[] = [];
  private turn = 0;
  /** How often a patient has said that it is ready. */
  private told = 0;
  private speaking: SpokenBotReply | null = null;
  /** What the patient has spoken into, while it does. */
  private interrupted: SpokenBotReply | null = null;

  constructor(private readonly script: SpokenBotScript) {}

  async begin(): Promise<void> {
    const { url, token, hasVoice, greeting, isNoisy, isStereo } = this.script;
    this.room.on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind !== TrackKind.KIND_AUDIO) return;
      this.patientTrack = track.sid ?? '';
      const patient = new HeardVoice<null>({
        voice: (isSpeaking) => this.hear(isSpeaking),
        sound: ({ samples }) => this.heard.push(samples),
      });
      new HeardTrack(track, (piece) => patient.hear(null, piece));
    });
    this.room.on(RoomEvent.DataReceived, (payload) => {
      const message = Buffer.from(payload).toString();
      if (!this.script.speaksRtvi || !message.includes('client-ready')) return;
      this.told += 1;
      void this.tellRtvi('bot-ready', { version: '1.2.0' });
    });
    this.room.on(RoomEvent.DtmfReceived, (code, digit) => tell(`key ${this.script.name} ${code} ${digit}`));
    // Before that, what it says and writes reaches no patient.
    const isHeard = new Promise((resolve) => this.room.once(RoomEvent.LocalTrackSubscribed, resolve));
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    if (hasVoice) this.voice = await (isStereo ? StereoTrack : SpokenTrack).publish(this.participant, 'agent');
    if (isNoisy) await this.publishNoise();
    tell(`joined ${this.script.name}`);
    if (greeting === null) return;
    if (hasVoice) await isHeard.then(() => sleep(SETTLES_MS));
    await this.greet(greeting);
  }

  private async greet(greeting: string): Promise<void> {
    const { greetingWrittenAfterMs: after } = this.script;
    const writeIt = () => write(this.participant, greeting, { 'lk.segment_id': 'greeting' });
    if (after === null) await writeIt();
    await this.voice?.say(constructedVoice(900, SPOKEN_RATE));
    if (after === null) return;
    await sleep(after);
    await writeIt();
  }

  private get participant(): LocalParticipant {
    if (this.room.localParticipant === undefined) throw new Error('The bot is in no room.');
    return this.room.localParticipant;
  }

  private async tellRtvi(type: string, data: object): Promise<void> {
    if (this.told < this.script.firstHeardReady) return;
    const packet = Buffer.from(JSON.stringify({ label: 'rtvi-ai', type, data }));
    await this.participant.publishData(packet, { reliable: true });
  }

  private async publishNoise(): Promise<void> {
    const source = new AudioSource(HEARD_RATE, 1, 1_000);
    const track = LocalAudioTrack.createAudioTrack('surroundings', source);
    await this.participant.publishTrack(track, new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }));
    void makeNoise(source);
  }

  private hear(isSpeaking: boolean): void {
    const { premature = null, echo = null } = this.script.replies[this.turn] ?? {};
    if (isSpeaking && this.speaking !== null) return this.interruptedIn(this.speaking);
    if (isSpeaking) {
      if (premature !== null) setTimeout(() => void this.voice?.say(speechOf(premature.soundMs)), premature.afterMs);
      if (echo !== null) this.echo(echo);
      return;
    }
    const interrupted = this.interrupted;
    this.interrupted = null;
    if (interrupted === null || interrupted.then === 'answers') void this.answer();
    else if (interrupted.then === 'resumes') void this.resume(interrupted);
  }

  private async leave(unpublishes: boolean): Promise<void> {
    const [sid] = this.participant.trackPublications.keys();
    if (unpublishes && sid !== undefined) await this.participant.unpublishTrack(sid);
    await this.room.disconnect();
  }

  private echo({ afterMs, seed, soundMs }: NonNullable<SpokenBotReply['echo']>): void {
    const samples = new SeededVoice(seed).samples(soundMs, SPOKEN_RATE);
    setTimeout(() => void this.voice?.say(samples), afterMs);
  }

  private interruptedIn(reply: SpokenBotReply): void {
    this.interrupted = reply;
    if (reply.stopsAfterMs !== null) setTimeout(() => this.voice?.hush(), reply.stopsAfterMs);
  }

  private tellTones(): void {
    const samples = Int16Array.from(this.heard.splice(0).flatMap((piece) => [...piece]));
    const keys = keysHeardIn({ samples, rate: HEARD_RATE });
    if (keys !== '') tell(`tones ${this.script.name} ${keys}`);
  }

  private async resume({ soundMs }: SpokenBotReply): Promise<void> {
    await sleep(RESUMES_AFTER_MS);
    await this.voice?.say(speechOf(soundMs));
  }

  private async answer(): Promise<void> {
    const reply = this.script.replies[this.turn];
    this.turn += 1;
    this.tellTones();
    const { turn } = this;
    if (reply === undefined) return;
    if (reply.understood !== null && this.script.speaksRtvi) {
      await this.tellRtvi('user-transcription', { text: reply.understood, final: true });
    } else if (reply.understood !== null) {
      const words = { 'lk.transcribed_track_id': this.patientTrack, 'lk.segment_id': `patient-${turn}` };
      await write(this.participant, reply.understood.slice(0, 5), words);
      await write(this.participant, reply.understood, words);
    }
    await sleep(reply.delayMs);
    this.speaking = reply;
    const words = reply.isTone ? constructedVoice(reply.soundMs, SPOKEN_RATE) : speechOf(reply.soundMs);
    const sound = reply.soundMs === 0 ? null : this.voice?.say(words);
    if (reply.leavesAfterMs !== null) setTimeout(() => void this.leave(reply.unpublishes), reply.leavesAfterMs);
    if (reply.shown !== null) await write(this.participant, reply.shown, { topic: 'lk.chat' });
    if (reply.text !== null && this.script.speaksRtvi) {
      for (const text of reply.text.split(' ')) await this.tellRtvi('bot-tts-text', { text });
    } else if (reply.text !== null) await write(this.participant, reply.text, { 'lk.segment_id': `agent-${turn}` });
    await sound;
    this.speaking = null;
    if (reply.leaves) await this.room.disconnect();
  }
}

function frameOf(samples: Int16Array): AudioFrame {
  return new AudioFrame(samples.slice(), HEARD_RATE, 1, samples.length);
}

/** Softer than a voice, and without an end. */
async function makeNoise(source: AudioSource): Promise<never> {
  for (;;) {
    await source.captureFrame(frameOf(Int16Array.from({ length: HEARD_RATE / 20 }, () => (Math.random() - 0.5) * 600)));
  }
}

process.on('message', (script: SpokenBotScript) => {
  new SpokenBot(script).begin().catch((error: unknown) => tell(`failed ${script.name}: ${String(error)}`));
});
process.on('disconnect', () => process.exit(0));
