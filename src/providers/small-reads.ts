import type { Socket } from 'node:net';

/** A thousand headers of the shortest sort. */
const MOST_BYTES = 4_096;

/**
 * Gives out what arrives in small pieces, and nothing once the socket is destroyed. undici destroys the socket at the first
 * header beyond its limit, yet goes on with the piece that it has in hand, an error with its stack for each header: a flood of
 * them in a piece of 64 KiB cost a tenth of a second.
 */
export function readInPieces(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size = Math.min(socket.readableLength, MOST_BYTES)) => {
    if (socket.destroyed) return null;
    // Reading nothing is how a stream is asked for more, and how its end is told.
    return size === 0 ? read() : read(size);
  };
}
