import type { ServerResponse } from 'node:http';
import { writeWav } from '../../src/engine/audio';
import { constructedSpeech } from '../engine/audio/constructed-speech';
import { sendJson, startHttpStub, type HttpStub, type Step } from './http-stub';

/** What sounds like a sentence: some utterances without the pauses between. */
export function speechSound(rate = 24_000, seed = 3): Int16Array {
  const { sound, utterances } = constructedSpeech(6, rate, seed);
  return Int16Array.from(utterances.flatMap(({ from, to }) => [...sound.samples.subarray(from, to)]));
}

export function wavOf(samples: Int16Array, rate = 24_000, channels = 1): Uint8Array {
  return writeWav({ rate, channels: Array.from({ length: channels }, () => samples) });
}

export function sendAudio(response: ServerResponse, bytes: Uint8Array, type = 'audio/wav'): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}

/** Answers as an OpenAI-compatible server for speech and transcriptions does; what it says it heard is `heard`. */
export async function startSpeechServer(heard = (): string => 'Hello there.'): Promise<HttpStub> {
  const answer: Step = (response, { path }) => {
    if (path.endsWith('/audio/speech')) sendAudio(response, wavOf(speechSound()));
    else if (path.endsWith('/audio/transcriptions')) sendJson(response, 200, { text: heard() });
    else sendJson(response, 404, { error: { message: 'Not found' } });
  };
  return startHttpStub(answer);
}
