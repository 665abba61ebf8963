import { LineServer, type LineAgent, type TakenCall } from '../src/agents';
import { decodeMuLaw, encodeMuLaw, resampled, type Sound } from '../src/engine/audio';

export const LINE_RATE = 8_000;

const GREETING: readonly string[] = ['Hello, this is the clinic.', 'How can I help?'];

/** What the agent says, a reply a turn, whatever it is told. After the last one it hangs up. */
const REPLIES: readonly (readonly string[])[] = [
  ['I am sorry to hear that.', 'When did the pain start?'],
  ['This could be a heart attack, so please call emergency services now.', 'Are you sweating, or do you feel sick?'],
  ['Then chew one aspirin, unless you are allergic to it.', 'Do not drive, and do not let anybody drive you.'],
];

/** All that the agent can say. */
export const SENTENCES: readonly string[] = [...GREETING, ...REPLIES.flat()];

const FRAME_MS = 20;
/** Of samples of 16 bits: a line is quieter between words. */
const LOUD = 600;
/** The caller has said something, and then nothing for so long: it is the agent's turn. */
const LEAST_SPEECH_MS = 200;
const SILENCE_MS = 700;
const BETWEEN_SENTENCES_MS = 200;
const LAST_WORD = 'the last word';

/** Answers a call: it hears that the caller speaks and has ended, and no words. */
class Answering implements LineAgent {
  private turn = 0;
  private spokenMs = 0;
  private silentMs = 0;

  constructor(
    private readonly call: TakenCall,
    private readonly greeting: Uint8Array,
    private readonly replies: readonly Uint8Array[],
  ) {}

  started(): void {
    this.call.say(this.greeting);
  }

  heard(codes: Uint8Array): void {
    const isLoud = decodeMuLaw(codes).some((sample) => Math.abs(sample) > LOUD);
    if (isLoud) this.spokenMs += FRAME_MS;
    this.silentMs = isLoud ? 0 : this.silentMs + FRAME_MS;
    if (this.spokenMs < LEAST_SPEECH_MS || this.silentMs < SILENCE_MS) return;
    this.spokenMs = 0;
    const reply = this.replies[this.turn];
    if (reply === undefined) return;
    this.turn += 1;
    this.call.say(reply);
    if (this.turn === this.replies.length) this.call.mark(LAST_WORD);
  }

  marked(name: string): void {
    if (name === LAST_WORD) this.call.hangUp();
  }

  ended(): void {
    // Nothing is kept of a call.
  }
}

/**
 * The phone agent of the spoken demonstration: a server for Twilio Media Streams, on this machine, whose replies are fixed.
 * @param say makes the sound of a sentence
 */
export async function startPhoneAgent(say: (sentence: string) => Promise<Sound>): Promise<LineServer> {
  const spoken = async (sentences: readonly string[]) => onLine(await Promise.all(sentences.map(say)));
  const greeting = await spoken(GREETING);
  const replies = await Promise.all(REPLIES.map(spoken));
  return LineServer.start((call) => new Answering(call, greeting, replies));
}

/** Sentences one after the other, as µ-law. */
function onLine(sentences: readonly Sound[]): Uint8Array {
  const pause = new Int16Array((BETWEEN_SENTENCES_MS * LINE_RATE) / 1_000);
  const parts = sentences.flatMap((sound) => [resampled(sound, LINE_RATE).samples, pause]);
  return Buffer.concat(parts.map((samples) => encodeMuLaw(samples)));
}
