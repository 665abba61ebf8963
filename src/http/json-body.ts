import { UnsupportedMediaTypeException } from '@nestjs/common';
import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** CONTRACT: requests with a body are JSON of at most 1 MiB, after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;
const JSON_TYPES = ['application/json', 'application/*+json'];
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Reads the JSON bodies of POST, PUT and PATCH; other methods' bodies mean nothing and are not read. */
export function jsonBody(): readonly RequestHandler[] {
  // `strict: false` leaves it to the schemas to say that a body must be an object.
  const read = json({ limit: MAX_BODY_BYTES, type: JSON_TYPES, strict: false });
  return [
    refuseOtherTypes,
    (request, response, next) => {
      if (METHODS_WITH_BODY.has(request.method)) read(request, response, next);
      else next();
    },
  ];
}

function refuseOtherTypes(request: Request, _response: Response, next: NextFunction): void {
  // `is` answers null when there is no body, false when its type is another one.
  const hasOtherType = METHODS_WITH_BODY.has(request.method) && isNotEmpty(request) && request.is(JSON_TYPES) === false;
  if (!hasOtherType) return next();
  next(new UnsupportedMediaTypeException('Send the request body as JSON, with Content-Type: application/json.'));
}

function isNotEmpty(request: Request): boolean {
  return request.headers['content-length'] !== '0';
}
