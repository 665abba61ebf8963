import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyText, utf8 } from '../../../src/agents/outbound/agent-http-call';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { startHttpStub } from '../../fakes/http-stub';
import { unaborted } from '../provider.contract';

const TEXT = 'Take rest – é.';
const MOST = 1_000;

describe('The text of a body', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    [' GZIP ', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
  ])('is read of %s, which nobody asked for', async (encoding, body) => {
    expect(await bodyText(body, encoding, MOST)).toBe(TEXT);
  });

  it.each(['zstd', 'gzip, br', 'toString'])('cannot be read of %s', async (encoding) => {
    await expect(bodyText(gzipSync(TEXT), encoding, MOST)).rejects.toMatchObject({
      code: 'provider_error',
      disposition: { kind: 'terminal' },
      message: expect.stringContaining('in an encoding that was not requested and that the harness cannot read'),
    });
  });

  it('may be as long as its limit once it is decompressed, and no longer', async () => {
    expect(await bodyText(gzipSync('a'.repeat(MOST)), 'gzip', MOST)).toHaveLength(MOST);
    await expect(bodyText(gzipSync('a'.repeat(MOST + 1)), 'gzip', MOST)).rejects.toThrow(
      `sent more than ${MOST} bytes, the most the harness reads`,
    );
  });

  it.each([
    ['is cut off', gzipSync(TEXT).subarray(0, -9)],
    ['is something else', Buffer.from(TEXT)],
  ])('cannot be decompressed where it %s', async (_, body) => {
    await expect(bodyText(body, 'gzip', MOST)).rejects.toThrow('sent a compressed answer that cannot be decompressed');
  });

  it('is without the mark of its byte order, and whatever it holds', () => {
    expect(utf8(Buffer.from('\ufeff{"a":1}'))).toBe('{"a":1}');
    expect(utf8(Buffer.from('{"\ufeff":1}'))).toBe('{"\ufeff":1}');
    expect(utf8(Buffer.from([0x61, 0xff]))).toBe('a\ufffd');
    expect(utf8(Buffer.alloc(0))).toBe('');
  });
});

describe('An answer', () => {
  it.each(['', 'identity'])('in the encoding "%s" is read as it is', async (encoding) => {
    const stub = await startHttpStub((response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(TEXT);
    });
    const client = new HttpClient();
    try {
      const request = {
        origin: stub.origin,
        path: '/',
        method: 'GET',
        headers: {},
        body: null,
        timeoutMs: 20_000,
      } as const;
      expect(await client.send(request, unaborted())).toMatchObject({ status: 200, text: TEXT });
    } finally {
      await client.close();
      await stub.close();
    }
  });
});
