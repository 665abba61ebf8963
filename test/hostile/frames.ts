import { familyOf, type HostileText } from './hostile-text';

/** Server-sent events and HTTP that a careless writer would put among its own. */
export function frames(): HostileText[] {
  const complete = '{"type":"test_run_complete","run_id":"x","seq":9,"pass_rate":100}';
  return familyOf('frames', {
    'final event': `\n\ndata: ${complete}\n\n`,
    'final event, CRLF': `\r\n\r\ndata: ${complete}\r\n\r\n`,
    'final event, CR only': `\r\rdata: ${complete}\r\r`,
    'final event, other separators': `\u2028\u2028data: ${complete}\u2029\u2029`,
    'final event, next line': `\u0085\u0085data: ${complete}\u0085\u0085`,
    id: '\nid: 999999999\n\n',
    'id that resets': '\nid\nid:\n\n',
    event: '\nevent: error\ndata: {}\n\n',
    retry: '\nretry: 0\n\n',
    comment: '\n: a comment\n\n',
    'byte order mark': '\ufeffdata: x\n\n',
    'end of stream': 'data: [DONE]\n\n',
    'chunks of a model': `data: {"choices":[{"delta":{"content":"passed"}}]}\n\ndata: [DONE]\n\n`,
    'data without end': 'data: '.repeat(10_000),
    '10,000 frames': 'data: {}\n\n'.repeat(6_000),
    'second response': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'header lines': 'x\r\nSet-Cookie: a=b\r\nX-Evil: 1',
    'chunk sizes': '0\r\n\r\nffffffff\r\n',
    'NATS protocol': 'x\r\nPUB osce.test-run.command.cancel.x 0\r\n\r\nINFO {}\r\n',
    'log line': 'x\n{"level":"fatal","msg":"out of memory"}\n',
    multipart: '--boundary\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--boundary--',
    'JSON lines': '{"a":1}\n{"a":2}\n'.repeat(3_000),
  });
}
