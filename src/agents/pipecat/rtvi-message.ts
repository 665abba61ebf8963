import { z } from 'zod';

/** The protocol version we speak, https://docs.pipecat.ai/client/rtvi-standard; version 1 bots answer it too. */
const PROTOCOL_VERSION = '2.2.0';
const LABEL = 'rtvi-ai';

/** No single event of the protocol comes near it; anything longer is not even parsed. */
const MAX_PACKET_BYTES = 256 * 1024;

const Envelope = z.object({
  label: z.literal(LABEL),
  type: z.string().min(1).max(100),
  id: z.string().max(200).optional().catch(undefined),
  data: z.unknown().optional(),
});

/** One RTVI message of the bot. `data` is whatever it sent: each reader checks what it uses. */
export interface RtviMessage {
  readonly type: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** Null when the packet is not an RTVI message: another program's data, or hostile. */
export function readRtvi(packet: Uint8Array): RtviMessage | null {
  if (packet.byteLength > MAX_PACKET_BYTES) return null;
  try {
    const json: unknown = JSON.parse(Buffer.from(packet).toString('utf8'));
    const { data: message } = Envelope.safeParse(json);
    return message === undefined ? null : { type: message.type, id: message.id ?? null, data: message.data };
  } catch {
    return null;
  }
}

/** Says that we are ready; the bot answers `bot-ready` with the same id. */
export function clientReady(id: string, version: string): Uint8Array {
  return packet('client-ready', id, {
    version: PROTOCOL_VERSION,
    about: { library: 'agent-osce', library_version: version },
  });
}

/** The patient's words: the model answers them at once, in text only, whatever the bot is saying at that moment. */
export function sendText(id: string, content: string): Uint8Array {
  return packet('send-text', id, { content, options: { run_immediately: true, audio_response: false } });
}

/** Ends the bot's pipeline. */
export function disconnectBot(id: string): Uint8Array {
  return packet('disconnect-bot', id, {});
}

function packet(type: string, id: string, data: object): Uint8Array {
  return Buffer.from(JSON.stringify({ label: LABEL, type, id, data }));
}

const Text = z.object({ text: z.string() });

/** The text of a delta; empty when there is none. */
export function textOf({ data }: RtviMessage): string {
  return Text.safeParse(data).data?.text ?? '';
}

const Failure = z.object({ error: z.string(), fatal: z.boolean().optional().catch(undefined) });

/** What an `error` or `error-response` says. */
export function failureOf({ data }: RtviMessage): { readonly error: string; readonly isFatal: boolean } {
  const failure = Failure.safeParse(data).data;
  return { error: failure?.error ?? 'no reason given', isFatal: failure?.fatal === true };
}

const Ready = z.object({
  version: z.string().max(50).optional().catch(undefined),
  about: z
    .object({
      library: z.string().max(100).optional().catch(undefined),
      library_version: z.string().max(50).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** What a `bot-ready` says about the bot, for metadata. */
export function readyFacts({ data }: RtviMessage): Readonly<Record<string, string>> {
  const ready = Ready.safeParse(data).data;
  const { library, library_version } = ready?.about ?? {};
  return {
    ...(ready?.version === undefined ? {} : { rtvi_version: ready.version }),
    ...(library === undefined ? {} : { bot_library: [library, library_version].filter(Boolean).join(' ') }),
  };
}

/**
 * The beginning of something a bot sent, as text that PostgreSQL and JSON can hold: well-formed and without NUL. Objects
 * are written as JSON: kept as text, nesting thousands deep cannot harm a later reader.
 */
export function excerpt(value: unknown, maxLength = 200): string {
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deeply to be shown)';
  }
}
