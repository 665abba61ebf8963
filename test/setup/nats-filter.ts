import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface NatsFilter {
  /** The server's address with the filter's port in it. */
  readonly url: string;
  close(): Promise<void>;
}

const LINE_END = '\r\n';

/** What a client publishes, as text; without its headers. */
interface Published {
  readonly subject: string;
  readonly text: string;
}

/** Whether the server hears it; until it is decided, nothing else passes that its client has said after it. */
type IsHeard = (subject: string, text: string) => boolean | Promise<boolean>;

/**
 * Stands between clients and a NATS server and swallows what clients publish when `isHeard` says that the server does not
 * hear it; everything else passes untouched.
 */
export async function startNatsFilter(serverUrl: string, isHeard: IsHeard): Promise<NatsFilter> {
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
    let decided = Promise.resolve();
    client.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (let frame = firstFrame(unread); frame !== null; frame = firstFrame(unread)) {
        const { bytes, published } = frame;
        const whole = unread.subarray(0, bytes);
        decided = decided.then(async () => {
          if (published === null || (await isHeard(published.subject, published.text))) upstream.write(whole);
        });
        unread = unread.subarray(bytes);
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

/** The first whole frame of the client protocol (docs.nats.io, "NATS Client Protocol"). */
function firstFrame(bytes: Buffer): { readonly bytes: number; readonly published: Published | null } | null {
  const end = bytes.indexOf(LINE_END);
  if (end < 0) return null;
  const [operation = '', subject = '', ...rest] = bytes.toString('latin1', 0, end).split(' ');
  const line = end + LINE_END.length;
  if (operation !== 'PUB' && operation !== 'HPUB') return { bytes: line, published: null };
  const body = line + Number(rest.at(-1));
  if (bytes.length < body + LINE_END.length) return null;
  const headers = operation === 'HPUB' ? Number(rest.at(-2)) : 0;
  return { bytes: body + LINE_END.length, published: { subject, text: bytes.toString('utf8', line + headers, body) } };
}
