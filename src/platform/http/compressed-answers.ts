import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** An answer that fits into one packet beside its headers gains nothing. */
const LEAST_BYTES = 1_400;

/**
 * Compresses answers for clients that accept it, in Node's threads. Lists of scenarios and conversations shrink to a tenth. The quickest
 * levels: higher ones take several times as long for a few percent. Event streams are sent as they come: a compressor would hold
 * events back, and each of them is small.
 */
export function compressAnswers(): RequestHandler {
  return compression({
    threshold: LEAST_BYTES,
    level: constants.Z_BEST_SPEED,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } },
    filter: (request, response) => !isEventStream(response) && compression.filter(request, response),
  });
}

export function isEventStream(response: Pick<Response, 'getHeader'>): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
