import type { Json } from '../provider';
import { excerpt, readRtvi, textOf, type RtviMessage } from './rtvi-message';

/** How many data messages a session keeps, and how much of each. */
const MAX_KEPT = 200;
const MAX_TEXT = 1000;

/** Pieces of a streamed text: consecutive ones of one type are kept as one entry. */
const DELTAS = new Set(['bot-llm-text', 'llm-raw-text', 'bot-tts-text', 'tts-raw-text']);

interface Kept {
  readonly at: string;
  readonly from: string;
  readonly type: string | null;
  text: string;
  packets: number;
}

/** Everything received over the room's data channel, for metadata: the first messages in full, the rest as a count. */
export class DataMessages {
  private readonly kept: Kept[] = [];
  private packets = 0;
  private dropped = 0;
  private foreign = 0;

  /**
   * Records one packet.
   * @returns the RTVI message in it, null when it holds none
   */
  note(packet: Uint8Array, from: string): RtviMessage | null {
    this.packets += 1;
    const message = readRtvi(packet);
    if (message === null) this.foreign += 1;
    this.keep(packet, from, message);
    return message;
  }

  /** Fields of the session's metadata; none when no packet came. */
  facts(): Readonly<Record<string, Json>> {
    if (this.packets === 0) return {};
    return {
      data_messages: this.kept.map(({ at, from, type, text, packets }) => ({
        at,
        from,
        ...(type === null ? {} : { type }),
        text,
        ...(packets === 1 ? {} : { packets }),
      })),
      data_packets: this.packets,
      ...(this.dropped === 0 ? {} : { data_messages_dropped: this.dropped }),
      ...(this.foreign === 0 ? {} : { data_packets_not_rtvi: this.foreign }),
    };
  }

  private keep(packet: Uint8Array, from: string, message: RtviMessage | null): void {
    const last = this.kept.at(-1);
    if (message !== null && DELTAS.has(message.type) && last?.type === message.type && last.from === from) {
      last.text = excerpt(last.text + textOf(message), MAX_TEXT);
      last.packets += 1;
      return;
    }
    if (this.kept.length >= MAX_KEPT) {
      this.dropped += 1;
      return;
    }
    const text = message === null ? Buffer.from(packet).subarray(0, MAX_TEXT).toString('utf8') : contentOf(message);
    this.kept.push({
      at: new Date().toISOString(),
      from: excerpt(from),
      type: message === null ? null : excerpt(message.type),
      text: excerpt(text, MAX_TEXT),
      packets: 1,
    });
  }
}

function contentOf(message: RtviMessage): string {
  if (DELTAS.has(message.type)) return textOf(message);
  return message.data === undefined || message.data === null ? '' : excerpt(message.data, MAX_TEXT);
}
