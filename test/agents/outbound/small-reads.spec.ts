import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { readInPieces } from '../../../src/agents/outbound/origin-connections';

const SENT = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));

describe('A socket that is read in small pieces', () => {
  const server = createServer((accepted) => accepted.on('error', () => undefined).end(SENT));
  let socket: Socket;
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());
  beforeEach(async () => {
    const { port } = addressOf(server.address());
    socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    readInPieces(socket);
  });
  afterEach(() => socket.destroy());

  it('gives everything in its order, and ends', async () => {
    const pieces: Buffer[] = [];
    socket.on('readable', () => {
      for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) pieces.push(piece);
    });
    await once(socket, 'end');
    expect(Buffer.concat(pieces).equals(SENT)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4_096);
  });

  it('gives nothing more once it is destroyed, though more has arrived', async () => {
    await once(socket, 'readable');
    expect(socket.read()).not.toBeNull();
    expect(socket.readableLength).toBeGreaterThan(0);
    socket.destroy();
    expect(socket.read()).toBeNull();
  });
});

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen.');
  return address;
}
