import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { HostileAnswer } from './hostile-answer';

const MEBIBYTE = 1024 * 1024;

/** Small bodies that unfold into huge ones, and compression that is none. */
export function bombs(): HostileAnswer[] {
  const zeros = gzipSync(Buffer.alloc(16 * MEBIBYTE));
  // A file of several members unfolds into all of them: half a gigabyte.
  const half = Buffer.concat(Array.from({ length: 32 }, () => zeros));
  const blanks = Buffer.alloc(16 * MEBIBYTE, ' ');
  return [
    compressed('gzip, 512 MiB', 'gzip', half),
    compressed('gzip, 512 MiB of the other name', 'x-gzip', half),
    compressed('gzip in gzip', 'gzip', gzipSync(half)),
    compressed('gzip in gzip, both named', 'gzip, gzip', gzipSync(half)),
    compressed('deflate', 'deflate', deflateSync(blanks)),
    compressed('deflate without a header', 'deflate', deflateRawSync(blanks)),
    compressed(
      'Brotli, 64 MiB',
      'br',
      brotliCompressSync(Buffer.alloc(64 * MEBIBYTE), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
    compressed('lists inside lists', 'gzip', gzipSync('['.repeat(MEBIBYTE - 1))),
    compressed('gzip, of an error', 'gzip', half, 500),
    compressed('gzip that is none', 'gzip', Buffer.from('{"choices":[]}')),
    compressed('gzip that ends in the middle', 'gzip', zeros.subarray(0, 1_000)),
    compressed('gzip with more behind it', 'gzip', Buffer.concat([gzipSync('{}'), Buffer.alloc(500_000, 1)])),
    compressed('Brotli that is none', 'br', Buffer.alloc(1_000, 0xff)),
    compressed('an unknown encoding', 'zstd', zeros),
    compressed('a hundred encodings', Array.from({ length: 100 }, () => 'gzip').join(', '), zeros),
  ];
}

function compressed(name: string, encoding: string, body: Buffer, status = 200): HostileAnswer {
  return {
    name: `compression: ${name}`,
    step: (response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(body);
    },
  };
}
