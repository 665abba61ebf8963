import { z } from 'zod';

/** The messages of Twilio Media Streams. Source: https://www.twilio.com/docs/voice/media-streams/websocket-messages */

/** Samples a second of a telephone line. */
export const LINE_RATE = 8_000;
/** A media message of ours holds so much. */
export const MEDIA_MS = 20;

/** Longer names of marks are not answered. */
const LONGEST_NAME = 1_000;

export interface StreamIds {
  readonly streamSid: string;
  readonly callSid: string;
  readonly accountSid: string;
}

/** What we send on one stream, each message with its number. */
export class OutgoingMessages {
  private sequence = 0;
  private chunk = 0;

  constructor(private readonly ids: StreamIds) {}

  connected(): string {
    return JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  }

  start(customParameters: Readonly<Record<string, string>>): string {
    const { accountSid, callSid, streamSid } = this.ids;
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: LINE_RATE, channels: 1 };
    return this.numbered('start', {
      start: { accountSid, streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters },
    });
  }

  /** @param codes µ-law of MEDIA_MS */
  media(codes: Uint8Array): string {
    this.chunk += 1;
    const timestamp = String((this.chunk - 1) * MEDIA_MS);
    const payload = Buffer.from(codes).toString('base64');
    return this.numbered('media', { media: { track: 'inbound', chunk: String(this.chunk), timestamp, payload } });
  }

  /** @param digit 0-9, *, #, A-D */
  dtmf(digit: string): string {
    return this.numbered('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  mark(name: string): string {
    return this.numbered('mark', { mark: { name } });
  }

  stop(): string {
    const { accountSid, callSid } = this.ids;
    return this.numbered('stop', { stop: { accountSid, callSid } });
  }

  private numbered(event: string, content: object): string {
    this.sequence += 1;
    return JSON.stringify({
      event,
      sequenceNumber: String(this.sequence),
      ...content,
      streamSid: this.ids.streamSid,
    });
  }
}

/** Why a message of the server has no effect. */
export const IGNORED = ['not_json', 'unknown_event', 'another_stream', 'no_sound', 'not_base64', 'no_name'] as const;
export type Ignored = (typeof IGNORED)[number];

export type IncomingMessage =
  | { readonly event: 'media'; readonly codes: Uint8Array }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'clear' }
  | { readonly event: 'ignored'; readonly why: Ignored };

const Incoming = z.object({
  event: z.string(),
  streamSid: z.string().optional().catch(undefined),
  media: z.object({ payload: z.string() }).optional().catch(undefined),
  mark: z
    .object({ name: z.string().min(1).max(LONGEST_NAME) })
    .optional()
    .catch(undefined),
});

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a message of the server; one that Twilio would have no use for is ignored, and says why. */
export function readIncoming(text: string, streamSid: string): IncomingMessage {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { event: 'ignored', why: 'not_json' };
  }
  const message = Incoming.safeParse(json).data;
  if (message === undefined) return { event: 'ignored', why: 'not_json' };
  const { event, media, mark } = message;
  if (event !== 'media' && event !== 'mark' && event !== 'clear') return { event: 'ignored', why: 'unknown_event' };
  if (message.streamSid !== streamSid) return { event: 'ignored', why: 'another_stream' };
  if (event === 'clear') return { event };
  if (event === 'mark') return mark === undefined ? { event: 'ignored', why: 'no_name' } : { event, name: mark.name };
  if (media === undefined || media.payload === '') return { event: 'ignored', why: 'no_sound' };
  if (!BASE64.test(media.payload)) return { event: 'ignored', why: 'not_base64' };
  return { event, codes: Buffer.from(media.payload, 'base64') };
}
