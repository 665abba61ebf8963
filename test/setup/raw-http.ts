import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawHttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The parsed body; null when it is no JSON. */
  readonly json: unknown;
}

/**
 * Sends a request as it is written, which no client library would do, and answers what came back.
 * @param lines the request line and its headers, without `Connection`; a body follows as the last argument
 */
export async function sendRaw(url: string, lines: readonly string[], body = ''): Promise<RawHttpAnswer> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (chunk: string) => (answer += chunk));
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  socket.write([...lines, 'Connection: close', ...length, '', body].join('\r\n'));
  await once(socket, 'close');
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers = new Map(
    headerLines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, json: jsonIn(rest.join('\r\n\r\n')) };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
