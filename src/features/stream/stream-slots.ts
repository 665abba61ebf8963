import type { ServerResponse } from 'node:http';
import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { calledInSentence, type Caller, suffices } from '../../platform/access';
import { Settings } from '../../platform/config';

const RETRY_AFTER_SECONDS = '5';

/** How many event streams this process serves at a time, of runs and of inspected actors together: each holds a connection and memory. */
@Injectable()
export class StreamSlots {
  private taken = 0;
  /** By the caller's id. */
  private readonly held = new Map<string, number>();

  constructor(private readonly settings: Settings) {}

  get inUse(): number {
    return this.taken;
  }

  /**
   * Takes a slot until the response has ended, however it ends; call it before anything is looked up. A key that may only read or
   * start runs takes at most half of them, so that a script that never lets go shuts out only itself.
   * @throws ServiceUnavailableException when there is none; Retry-After then says when to try again
   */
  take(response: ServerResponse, caller: Caller): void {
    if (response.destroyed) return;
    const { maxEventStreams } = this.settings;
    if (this.taken >= maxEventStreams) {
      throw refusal(
        response,
        `This process already serves ${maxEventStreams} event streams, as many as MAX_EVENT_STREAMS allows: ` +
          'close one, try again later, or raise it.',
      );
    }
    const held = this.held.get(caller.id) ?? 0;
    const share = suffices(caller.role, 'admin') ? maxEventStreams : Math.ceil(maxEventStreams / 2);
    if (held >= share) {
      throw refusal(
        response,
        `${capitalized(calledInSentence(caller))} already has ${held} event streams on this process, half of what MAX_EVENT_STREAMS allows: ` +
          'close one, or try again later.',
      );
    }
    this.taken += 1;
    this.held.set(caller.id, held + 1);
    response.once('close', () => this.giveBack(caller.id));
  }

  private giveBack(id: string): void {
    this.taken -= 1;
    const left = (this.held.get(id) ?? 0) - 1;
    if (left > 0) this.held.set(id, left);
    else this.held.delete(id);
  }
}

function capitalized(words: string): string {
  return words.replace(/^the /, 'The ');
}

function refusal(response: ServerResponse, sentence: string): ServiceUnavailableException {
  response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  return new ServiceUnavailableException(sentence);
}
