import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface NatsFilter {
  /** The server's address with the filter's port in it. */
  readonly url: string;
  close(): Promise<void>;
}

const LINE_END = '\r\n';

/**
 * Stands between clients and a NATS server and swallows what clients publish when `isHeard` says that the server does not
 * hear it; everything else passes untouched.
 */
export async function startNatsFilter(serverUrl: string, isHeard: (subject: string) => boolean): Promise<NatsFilter> {
  const open = new Set<Socket>();
  const target = new URL(serverUrl);
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    let unread = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (let frame = firstFrame(unread); frame !== null; frame = firstFrame(unread)) {
        if (frame.subject === null || isHeard(frame.subject)) upstream.write(unread.subarray(0, frame.bytes));
        unread = unread.subarray(frame.bytes);
      }
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** The first whole frame of the client protocol (docs.nats.io, "NATS Client Protocol"); `subject` null unless it publishes. */
function firstFrame(bytes: Buffer): { readonly bytes: number; readonly subject: string | null } | null {
  const end = bytes.indexOf(LINE_END);
  if (end < 0) return null;
  const [operation = '', subject = '', ...rest] = bytes.toString('latin1', 0, end).split(' ');
  const line = end + LINE_END.length;
  if (operation !== 'PUB' && operation !== 'HPUB') return { bytes: line, subject: null };
  const whole = line + Number(rest.at(-1)) + LINE_END.length;
  return bytes.length < whole ? null : { bytes: whole, subject };
}
