import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-log';

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
      if (!METHODS_WITH_BODY.has(request.method)) return next();
      read(request, response, (error: unknown) => next(error === undefined ? undefined : refusalOf(error)));
    },
  ];
}

function refuseOtherTypes(request: Request, _response: Response, next: NextFunction): void {
  const hasBody = METHODS_WITH_BODY.has(request.method) && request.headers['content-length'] !== '0';
  // `is` returns null when there is no body, false when it has another type.
  if (!hasBody || request.is(JSON_TYPES) !== false) return next();
  next(new UnsupportedMediaTypeException('Send the request body as JSON, with Content-Type: application/json.'));
}

/** What the parser found wrong, by the `type` it gives its errors. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error;
  switch ('type' in error ? error.type : undefined) {
    case 'entity.parse.failed':
      return new BadRequestException(`The request body is not valid JSON: ${error.message}`);
    case 'entity.too.large':
      return new PayloadTooLargeException('The request body is larger than 1 MiB.');
    default:
      // An unknown charset or encoding, a body that ends early or is not the compressed data it claims to be.
      return error.status < 500
        ? new HttpException(`The request body cannot be read: ${error.message}`, error.status)
        : error;
  }
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Requests that are not HTTP never reach a route; they too are answered with `{ "error": string }`. */
export function answerMalformedRequests(server: Server): void {
  const latestAnswers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latestAnswers.set(request.socket, response);
  });
  server.on('clientError', (error: Error, socket: Socket) => {
    const latest = latestAnswers.get(socket);
    const isAnswering = latest !== undefined && latest.headersSent && !latest.writableFinished;
    // A connection that was reset has no client to answer; nothing can be inserted into a half-sent answer.
    if (!socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    const status = STATUS_BY_CODE[code] ?? 400;
    const reason = STATUS_CODES[status] ?? 'Bad Request';
    // What breaks off in its body has been a request, and may be in the log by its id.
    const id = latest === undefined || latest.writableFinished ? newRequestId() : requestIdOf(latest.req);
    const body = JSON.stringify({ error: `The request is not valid HTTP: ${reason}.` });
    socket.end(
      `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `${REQUEST_ID_HEADER}: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
