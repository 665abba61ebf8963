import { NotFoundException } from '@nestjs/common';
import type { Log } from '../../platform/config';
import type { EventStream } from '../stream/event-stream';
import { attemptsOf, combine, isFinal } from './actor-history';
import type { ActorNotice, FloorNotice, TransitionNotice } from './inspection-messages';
import type { Inspected, InspectionService } from './inspection.service';
import type { ActorTransition } from '../../../contract/inspection';

/** Id of the last message of a stream: EventSource sends it when it reconnects, and the answer makes it stop. */
export const ENDED = 'ended';

/** Steps that a stream remembers having shown: a process that ends, or stops watching, forgets them. */
const REMEMBERED = 1_000;

/**
 * One open stream: first the actor's current state, then each transition and each change of the floor, and the whole actor again
 * whenever something may have been missed, another attempt has begun or the client was too slow. Ends with the actor's final state.
 */
export class ActorStream {
  private known: Inspected | null = null;
  private watchId: string | null = null;
  private last = 0;
  private isReading = false;
  private isStale = false;
  private hasEnded = false;
  private readonly waiting: TransitionNotice[] = [];
  /** Heard of while the actor is being read. */
  private newestFloor: FloorNotice | null = null;
  private seen: readonly ActorTransition[] = [];

  constructor(
    private readonly id: string,
    private readonly stream: EventStream,
    private readonly service: InspectionService,
    private readonly log: Log,
  ) {
    stream.onDrain = () => {
      if (this.isStale) void this.refresh();
    };
  }

  /** Begins with what was read already. */
  begin(inspected: Inspected): void {
    this.show(inspected);
  }

  hear(notice: ActorNotice): void {
    if ('floor' in notice) return this.hearFloor(notice);
    if (this.isReading) {
      this.waiting.push(notice);
      return;
    }
    const isKnownWatch = this.watchId === notice.watch_id;
    if (this.hasEnded || (isKnownWatch && notice.number <= this.last)) return;
    if (!this.stream.writable) return void this.refresh();
    const isNext = isKnownWatch && notice.number === this.last + 1;
    const isFirst = !isKnownWatch && notice.number === 1;
    if (isNext || isFirst) {
      this.watchId = notice.watch_id;
      this.last = notice.number;
      this.seen = [...this.seen, notice.transition].slice(-REMEMBERED);
      this.write({ type: 'transition', transition: notice.transition });
    }
    if (!isNext || this.isFinalStep(notice.transition)) void this.refresh();
  }

  private hearFloor(notice: FloorNotice): void {
    if (this.isReading) this.newestFloor = notice;
    else if (this.hasEnded) return;
    // Of another attempt, or the client is too slow: it learns it with the next `actor`.
    else if (notice.watch_id !== this.watchId || !this.stream.writable) void this.refresh();
    else this.write({ type: 'floor', floor: notice.floor });
  }

  /** Checks whether another process has the actor now, or it has ended unannounced. */
  async check(standing: Pick<Inspected['row'], 'attempt' | 'status' | 'owner'> | null): Promise<void> {
    const row = this.known?.row;
    const isSame =
      standing?.attempt === row?.attempt && standing?.status === row?.status && standing?.owner === row?.owner;
    if (!isSame) await this.refresh();
  }

  private async refresh(): Promise<void> {
    if (this.hasEnded) return;
    if (this.isReading || !this.stream.writable) {
      // Repeats when this read has ended, or the client can accept more.
      this.isStale = true;
      return;
    }
    this.isReading = true;
    this.isStale = false;
    try {
      this.show(await this.service.find(this.id));
    } catch (error) {
      // The run was deleted; or the database is unavailable, and the next check tries again.
      if (error instanceof NotFoundException) this.end();
      else this.log.warn('An actor could not be read again for its stream', { error });
    } finally {
      this.isReading = false;
      for (const notice of this.waiting.splice(0)) this.hear(notice);
      const { newestFloor } = this;
      this.newestFloor = null;
      if (newestFloor !== null) this.hearFloor(newestFloor);
      if (this.isStale) void this.refresh();
    }
  }

  private show(inspected: Inspected): void {
    const { detail, row, watch } = inspected;
    this.known = inspected;
    if (watch === null) {
      // The actor has ended meanwhile: what was received of it is all that there is.
      const heard = this.waiting
        .splice(0)
        .filter(({ watch_id, number }) => watch_id !== this.watchId || number > this.last);
      this.seen = [...this.seen, ...heard.map(({ transition }) => transition)];
    } else {
      this.watchId = watch.id;
      this.last = watch.last;
    }
    const transitions = combine(row.kind, detail.transitions, this.seen);
    this.seen = transitions.filter(({ source }) => source === 'live').slice(-REMEMBERED);
    const attempts = attemptsOf(row.kind, transitions, row.owner !== null);
    this.write({ type: 'actor', actor: { ...detail, transitions, attempts } });
    if (isFinal(inspected.row.kind, inspected.row.status)) this.end();
  }

  private isFinalStep({ to }: ActorTransition): boolean {
    return this.known !== null && isFinal(this.known.row.kind, to);
  }

  private end(): void {
    this.hasEnded = true;
    this.stream.write(`id: ${ENDED}\ndata: {"type":"ended"}\n\n`);
    this.stream.end();
  }

  private write(message: object): void {
    this.stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}
