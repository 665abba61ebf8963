import type { Socket } from 'node:net';

/** A thousand headers of the shortest kind. */
const MOST_BYTES = 4_096;

/**
 * Passes on what arrives in small pieces, and nothing once the socket is destroyed. undici destroys the socket at the first
 * header beyond its limit, yet finishes the piece it is parsing, with an error and its stack for each header: a flood of
 * them in a piece of 64 KiB cost a tenth of a second.
 */
export function readInPieces(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size = Math.min(socket.readableLength, MOST_BYTES)) => {
    if (socket.destroyed) return null;
    // An empty read asks the stream for more, and delivers its end.
    return size === 0 ? read() : read(size);
  };
}
