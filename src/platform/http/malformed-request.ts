import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-id';

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
    // A connection that was reset has no one to answer; nothing can be inserted into a half-sent answer.
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
