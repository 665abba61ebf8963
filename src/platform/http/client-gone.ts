import type { Response } from 'express';

/** Aborted when the client drops the connection before the answer: no one waits for the work any more. */
export function clientGone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client closed the connection.'));
  });
  return controller.signal;
}
