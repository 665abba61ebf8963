import * as misbehaviour from '../fakes/misbehaviour';
import type { HostileAnswer } from './hostile-answer';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const EMPTY_OBJECT = 'Content-Length: 2\r\n\r\n{}';
const MEBIBYTE = 1024 * 1024;

/** Bytes that are no good HTTP, or HTTP that nobody can make sense of. */
export function wire(): HostileAnswer[] {
  return [
    ...Object.entries(raw()).map(([name, text]) => rawAnswer(name, text)),
    ...Object.entries(bodies()).map(([name, body]) => bodyAnswer(name, body)),
    ...Object.entries(steps()).map(([name, step]) => ({ name: `HTTP: ${name}`, step })),
    { name: 'HTTP: no answer', step: misbehaviour.hang(), isEndless: true },
    { name: 'HTTP: no answer after the headers', step: misbehaviour.hangAfterHeaders(), isEndless: true },
    { name: 'HTTP: a blank every 5 ms', step: misbehaviour.drip(), isEndless: true },
  ];
}

function raw(): Readonly<Record<string, string>> {
  return {
    'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n',
    'no headers': '{"choices":[]}',
    'headers of 1 MiB': `${JSON_HEAD}X-Flood: ${'a'.repeat(MEBIBYTE)}\r\n${EMPTY_OBJECT}`,
    '20,000 headers': `${JSON_HEAD}${'X: y\r\n'.repeat(20_000)}${EMPTY_OBJECT}`,
    'name without a value': `${JSON_HEAD}X\r\n${EMPTY_OBJECT}`,
    'header with NUL': `${JSON_HEAD}X: a\0b\r\n${EMPTY_OBJECT}`,
    'folded header': `${JSON_HEAD}X: a\r\n b\r\n${EMPTY_OBJECT}`,
    'status 999': `HTTP/1.1 999 No\r\n${EMPTY_OBJECT}`,
    'status 0': `HTTP/1.1 000 No\r\n${EMPTY_OBJECT}`,
    'status of ten digits': `HTTP/1.1 2000000000 OK\r\n${EMPTY_OBJECT}`,
    'HTTP/9.9': `HTTP/9.9 200 OK\r\n${EMPTY_OBJECT}`,
    'switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    '5,000 times "continue"': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000),
    '1,000 early hints': `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)}${JSON_HEAD}${EMPTY_OBJECT}`,
    'two lengths': `${JSON_HEAD}Content-Length: 1\r\n${EMPTY_OBJECT}`,
    'negative length': `${JSON_HEAD}Content-Length: -1\r\n\r\n{}`,
    'length of thirty digits': `${JSON_HEAD}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`,
    'length in words': `${JSON_HEAD}Content-Length: two\r\n\r\n{}`,
    'length and chunks': `${JSON_HEAD}Transfer-Encoding: chunked\r\n${EMPTY_OBJECT}`,
    'chunk size that is none': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`,
    'chunk size beyond all bounds': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n{}`,
    'chunk extension of 1 MiB': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(MEBIBYTE)}\r\n{}\r\n0\r\n\r\n`,
    '100,000 chunks of one byte': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`,
    'trailers without end': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
    'two answers': `${JSON_HEAD}${EMPTY_OBJECT}${JSON_HEAD}${EMPTY_OBJECT}`,
    'answer without an end': `${JSON_HEAD}\r\n{"choices":[`,
    'no content, with content': `HTTP/1.1 204 No Content\r\n${EMPTY_OBJECT}`,
    'not modified': 'HTTP/1.1 304 Not Modified\r\n\r\n',
    'redirect to itself':
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: /v1/chat/completions\r\nContent-Length: 0\r\n\r\n',
    'redirect to a file': 'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
    'redirect to 1 MiB': `HTTP/1.1 301 Moved\r\nLocation: /${'a'.repeat(12_000)}\r\nContent-Length: 0\r\n\r\n`,
    'redirect nowhere': 'HTTP/1.1 308 Permanent Redirect\r\nContent-Length: 0\r\n\r\n',
    'colours in the reason': `HTTP/1.1 400 \u001b[31mBad\u001b[0m\r\n${EMPTY_OBJECT}`,
  };
}

function bodies(): Readonly<Record<string, Buffer>> {
  const invalid = (...bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from('{"error":{"message":"'), Buffer.from(bytes), Buffer.from('"}}')]);
  return {
    'a lone continuation byte': invalid(0x80),
    'an overlong NUL': invalid(0xc0, 0x80),
    'an overlong slash': invalid(0xe0, 0x80, 0xaf),
    'a surrogate in UTF-8': invalid(0xed, 0xa0, 0x80),
    'half a character': invalid(0xf0, 0x9f, 0x9a),
    'beyond Unicode': invalid(0xf4, 0x90, 0x80, 0x80),
    'invalid bytes only': Buffer.alloc(200_000, 0xff),
    'UTF-16': Buffer.from('\ufeff{"choices":[]}', 'utf16le'),
    'UTF-32': Buffer.from([0x00, 0x00, 0xfe, 0xff, 0x00, 0x00, 0x00, 0x7b]),
    'NUL only': Buffer.alloc(200_000),
    'no byte': Buffer.alloc(0),
    'lists inside lists': Buffer.alloc(MEBIBYTE - 1, '['),
    'lists inside lists, closed': Buffer.concat([Buffer.alloc(500_000, '['), Buffer.alloc(500_000, ']')]),
    'objects inside objects': Buffer.from('{"choices":'.repeat(90_000)),
    '100,000 choices': Buffer.from(`{"choices":[${'{"message":{}},'.repeat(60_000)}{}]}`),
    '100,000 parts': Buffer.from(
      `{"id":"a","output":[${'{"content":[]},'.repeat(60_000)}{}],"choices":[{"message":{"content":[${'{},'.repeat(10_000)}{}]}}]}`,
    ),
    prototype: Buffer.from('{"__proto__":{"choices":[]},"constructor":{"prototype":{"polluted":true}}}'),
    'number beyond all bounds': Buffer.from(
      '{"id":"a","choices":[{"message":{"content":"Rest."}}],"usage":{"total_tokens":1e400,"a":-1e400}}',
    ),
    'keys that collide': Buffer.from(`{${Array.from({ length: 50_000 }, (_, at) => `"${at * 65_536}":0`).join()}}`),
    'a long number': Buffer.from(`{"choices":${'9'.repeat(MEBIBYTE - 100)}}`),
    'a long string that never closes': Buffer.concat([Buffer.from('{"id":"'), Buffer.alloc(MEBIBYTE - 100, 'a')]),
    'names of 10 kB': Buffer.from(
      JSON.stringify({
        id: 'i'.repeat(300_000),
        model: 'm'.repeat(300_000),
        choices: [{ message: { content: 'Rest.' }, finish_reason: 'f'.repeat(10_000) }],
        usage: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`u${at}`.repeat(20), at])),
      }),
    ),
  };
}

function steps(): Readonly<Record<string, HostileAnswer['step']>> {
  const { html, huge, text } = misbehaviour;
  return {
    reset: misbehaviour.resetBeforeAnswer(),
    'reset in the middle': misbehaviour.resetMidBody(),
    'cut short': misbehaviour.cutShort(),
    '64 MiB, announced': huge(64 * MEBIBYTE, true),
    '1 GiB, not announced': huge(1_024 * MEBIBYTE, false),
    '1 GiB of an error': huge(1_024 * MEBIBYTE, false, 500),
    '1 GiB of a refusal': huge(1_024 * MEBIBYTE, false, 401),
    HTML: html(200, 'Log in'),
    'HTML of an error': html(502, '\u001b[2JBad gateway <script>taken=1</script>'),
    'a picture, it says': text(200, '{"choices":[]}', 'image/png'),
    'events, it says': text(200, 'data: {"choices":[]}\n\n', 'text/event-stream'),
    'a type of 8 kB': text(200, '{}', `application/json; charset=${'a'.repeat(8_000)}`),
    'an error of 900,000 full stops': text(400, '.'.repeat(900_000), 'text/plain'),
    'an error of 900,000 blanks': text(404, ' '.repeat(900_000), 'text/plain'),
    'an error of zero-width spaces': text(403, '\u200b'.repeat(300_000), 'text/plain'),
    'an error in colours': text(422, '\u001b[31m\u202eerror\u0007\r\n'.repeat(2_000), 'text/plain'),
    'an error in JSON of 900 kB': text(
      400,
      JSON.stringify({ error: { message: 'm'.repeat(900_000), code: 'c'.repeat(1_000) }, message: ['m', 'm'] }),
      'application/json',
    ),
  };
}

function rawAnswer(name: string, text: string): HostileAnswer {
  return {
    name: `HTTP: ${name}`,
    step: (response) => {
      const { socket } = response;
      socket?.write(Buffer.from(text, 'latin1'));
      // What has no end of its own gets one, or its reader waits for the deadline.
      setTimeout(() => socket?.destroy(), 200);
    },
  };
}

function bodyAnswer(name: string, body: Buffer): HostileAnswer {
  return {
    name: `body: ${name}`,
    step: (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body),
  };
}
