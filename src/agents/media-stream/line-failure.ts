import { ProviderError } from '../errors';
import type { IgnoredCounts } from './line-wire';

/** The agent's server closed the stream in order: whether that is how it ends conversations, its config says. */
export class StreamClosed extends ProviderError {
  /** @param closeCode null where none was given */
  constructor(readonly closeCode: number | null) {
    super(
      'provider_error',
      `The agent's server closed the stream in the middle of the conversation${closeCode === null ? '' : ` (code ${closeCode})`}; its own log says why. ` +
        'If that is how it hangs up, set closing_ends_conversation in its config.',
    );
  }

  /** 1000: it has done what it was for. A server that goes away, or meets an error, has other codes (RFC 6455, section 7.4.1). */
  get isOrderly(): boolean {
    return this.closeCode === 1_000 || this.closeCode === null;
  }
}

export function lineLost(): ProviderError {
  return new ProviderError(
    'connect_failed',
    "The connection to the agent's server was lost in the middle of the conversation: check that the server runs and can be reached, then start the run again.",
  );
}

export function slowToConnect(seconds: number): ProviderError {
  return ProviderError.retryable(
    'connect_failed',
    `The agent's server did not take up the stream within ${seconds} s: check url in the agent's config, and that a WebSocket server listens there.`,
  );
}

export function unusable(what: string): ProviderError {
  return new ProviderError(
    'provider_error',
    `The agent's server ${what}, which the call cannot be gone on with: it has to send messages of Twilio Media Streams.`,
  );
}

export function threadEnded(): ProviderError {
  return ProviderError.retryable(
    'connect_failed',
    "The harness's thread that carries calls ended unexpectedly; start the run again.",
  );
}

const WHY: Readonly<Record<keyof Required<IgnoredCounts>, string>> = {
  another_stream: 'had no streamSid or another one than `start` gave',
  not_base64: 'held a payload that is not base64',
  no_sound: 'held no payload',
  not_json: 'were not JSON objects with an event',
  unknown_event: 'were neither media, mark nor clear',
  no_name: 'were marks without a name',
  binary: 'were binary, and only text is read',
};

/** No sound came at all. @param ignored what did come */
export function neverHeard(ignored: IgnoredCounts): ProviderError {
  const reasons = Object.entries(WHY).flatMap(([why, words]) => {
    const count = Object.entries(ignored).find(([name]) => name === why)?.[1] ?? 0;
    return count === 0 ? [] : [`${count} of its messages ${words}`];
  });
  const came = reasons.length === 0 ? 'It sent no media message.' : `Of what it sent, ${reasons.join('; ')}.`;
  return new ProviderError(
    'provider_timeout',
    `Nothing was heard from the agent before the turn's deadline. ${came} Check that its server speaks Twilio Media Streams and that its voice works.`,
  );
}

export function onlySpoken(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'Agents of the kind "media-stream" can only be spoken with: start the run with modality "spoken".',
  );
}

export function needsEar(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'Agents of the kind "media-stream" tell nothing in text of what they say, so an ear has to hear it: set TRANSCRIPTION_URL.',
  );
}
