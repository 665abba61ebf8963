import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { sendJson, type Step } from './http-stub';

/** What servers do to their clients, one step for HttpStub.next() each. */

export const status =
  (code: number, body: unknown = { message: `status ${code}` }, headers: IncomingHttpHeaders = {}): Step =>
  (response) =>
    sendJson(response, code, body, headers);

export const text =
  (code: number, body: string, contentType: string): Step =>
  (response) =>
    void response.writeHead(code, { 'content-type': contentType }).end(body);

export const html = (code: number, title: string): Step =>
  text(
    code,
    `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
    'text/html',
  );

/** What a gateway shows to whom it does not know. */
export const LOGIN_PAGE =
  '<!-- portal 4.2 -->\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login">' +
  '<input name="user"><input name="pass" type="password"><button>Sign in</button></form></body></html>';

/** JSON whose bytes are compressed although nobody asked. */
export const gzipped =
  (body: unknown): Step =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(body)));

/** Accepts the request and never says anything. */
export const hang = (): Step => () => undefined;

export const hangAfterHeaders = (): Step => (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
};

/** One blank every few milliseconds, so that no wait between two bytes is ever long. */
export const drip =
  (intervalMs = 5): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), intervalMs);
    response.once('close', () => clearInterval(timer));
  };

export const resetBeforeAnswer = (): Step => (response) => void response.socket?.resetAndDestroy();

export const resetMidBody = (): Step => (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};

/** Ends the connection in order, but before all of the announced body was sent. */
export const cutShort = (): Step => (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"id":', () => response.socket?.end());
};

export const notHttp = (): Step => (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');

/** As many bytes as asked for, as fast as the other side reads; `announced` sends a content-length first. */
export const huge =
  (bytes: number, announced: boolean, code = 200): Step =>
  (response) => {
    const chunk = Buffer.alloc(64 * 1024, '[');
    response.writeHead(code, { 'content-type': 'application/json', ...(announced && { 'content-length': bytes }) });
    let left = bytes;
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };
