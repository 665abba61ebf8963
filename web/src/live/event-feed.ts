import { isFinalEvent, readRunEvent, type RunEventFields } from '../../../src/domain';
import { serviceKey } from '../api/service-key';

/** The state of the page's connection to a run's event stream. */
export type FeedState = 'connecting' | 'open' | 'lost' | 'ended';

export interface FeedReader {
  /** Receives events in order, as many as a frame has time for. */
  readonly onEvents: (events: readonly RunEventFields[]) => void;
  readonly onState: (state: FeedState) => void;
}

/** The part of a frame spent on reading events: the rest is for drawing. */
const READ_MS_A_FRAME = 6;
const CHECK_TIME_EVERY = 16;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** A page in the background draws nothing, so it gets no frames. */
const HIDDEN_TICK_MS = 500;

/**
 * Follows a run on `/events` to its final event and delivers events once a frame, however fast they arrive. EventSource
 * reconnects on its own after a broken connection and gives up after an error response; then this tries again.
 */
export class EventFeed {
  private source: EventSource | null = null;
  private readonly waiting: string[] = [];
  private lastId = '';
  private retryMs = FIRST_RETRY_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private cancelTick: (() => void) | null = null;
  private closed = false;

  constructor(
    private readonly runId: string,
    private readonly reader: FeedReader,
  ) {
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.cancelTick?.();
    this.source?.close();
  }

  private connect(): void {
    this.reader.onState('connecting');
    const query = new URLSearchParams({ run_id: this.runId });
    const { key } = serviceKey.get();
    if (key !== null) query.set('access_token', key);
    if (this.lastId !== '') query.set('last_event_id', this.lastId);
    const source = new EventSource(`/events?${query}`);
    this.source = source;
    source.onopen = () => {
      this.retryMs = FIRST_RETRY_MS;
      this.reader.onState('open');
    };
    source.onmessage = (message: MessageEvent<string>) => {
      this.lastId = message.lastEventId;
      this.waiting.push(message.data);
      this.tickSoon();
    };
    source.onerror = () => {
      if (this.closed) return;
      this.reader.onState('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      this.retry = setTimeout(() => this.connect(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
    };
  }

  private tickSoon(): void {
    if (this.cancelTick !== null) return;
    const tick = () => {
      this.cancelTick = null;
      this.read();
    };
    if (document.hidden) {
      const timer = setTimeout(tick, HIDDEN_TICK_MS);
      this.cancelTick = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(tick);
      this.cancelTick = () => cancelAnimationFrame(frame);
    }
  }

  private read(): void {
    const until = performance.now() + READ_MS_A_FRAME;
    const events: RunEventFields[] = [];
    let taken = 0;
    for (const data of this.waiting) {
      if (taken % CHECK_TIME_EVERY === 0 && taken > 0 && performance.now() > until) break;
      taken += 1;
      const event = readRunEvent(data);
      if (event !== null) events.push(event);
    }
    this.waiting.splice(0, taken);
    if (events.length > 0) this.reader.onEvents(events);
    if (events.some(({ type }) => isFinalEvent(type))) {
      this.close();
      this.reader.onState('ended');
    } else if (this.waiting.length > 0) this.tickSoon();
  }
}
