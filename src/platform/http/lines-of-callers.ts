import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { callerOf, type Caller } from '../access/caller';
import { Slots } from '../concurrency/slots';

/** The status that proxies log for it; no client reads it. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Lets a few requests of each service key in at a time, for answers that take seconds of the processor, or much memory. The
 * others of that key wait in its own line, which a request leaves when its client has gone: a script that asks for hundreds at a
 * time delays only itself.
 */
export class LinesOfCallers {
  private readonly lines = new WeakMap<Caller, Slots>();

  constructor(private readonly atOnce: number) {}

  /** @throws what `work` throws; HttpException when the client leaves the line */
  async inLine<Result>(response: Response, work: () => Promise<Result>): Promise<Result> {
    const caller = callerOf(response.req);
    const line = this.lines.get(caller) ?? new Slots(this.atOnce, left);
    this.lines.set(caller, line);
    const leave = await line.take(clientGone(response));
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

function left(): HttpException {
  return new HttpException('The client has left.', CLIENT_CLOSED_REQUEST);
}

/** Aborted when the client drops the connection before the answer: no client waits for the work any more. */
export function clientGone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client closed the connection.'));
  });
  return controller.signal;
}
