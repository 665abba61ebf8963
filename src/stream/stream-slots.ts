import type { ServerResponse } from 'node:http';
import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { Settings } from '../config/settings';

const RETRY_AFTER_SECONDS = '5';

/** How many event streams this process serves at a time, of runs and of inspected actors together: each holds a connection and memory. */
@Injectable()
export class StreamSlots {
  private taken = 0;

  constructor(private readonly settings: Settings) {}

  get inUse(): number {
    return this.taken;
  }

  /**
   * Takes a slot until the response has ended, however it ends; call it before anything is looked up.
   * @throws ServiceUnavailableException when there is none; Retry-After then says when to try again
   */
  take(response: ServerResponse): void {
    if (response.destroyed) return;
    const { maxEventStreams } = this.settings;
    if (this.taken >= maxEventStreams) {
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw new ServiceUnavailableException(
        `This process already serves ${maxEventStreams} event streams, as many as MAX_EVENT_STREAMS allows: ` +
          'close one, try again later, or raise it.',
      );
    }
    this.taken += 1;
    response.once('close', () => (this.taken -= 1));
  }
}
