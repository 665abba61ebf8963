import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface ScriptedNats {
  readonly url: string;
  /** How many connections were opened so far. */
  readonly connections: number;
  /** Says this of itself from now on, beside the rest. */
  become(info: object): void;
  /** Refuses everyone who logs in from now on. */
  refuse(refusing: boolean): void;
  /** It has JetStream from now on. */
  finishReading(): void;
  /** Says nothing at all to those who connect from now on. */
  pause(): void;
  /** To every client, as in `-ERR 'Permissions Violation'`. */
  say(line: string): void;
  /** Breaks every connection, and takes new ones. */
  hangUp(): void;
  /** Ends only when nobody is connected any more. */
  close(): Promise<void>;
}

const ACCOUNT = JSON.stringify({ type: 'io.nats.jetstream.api.v1.account_info_response', streams: 0, consumers: 0 });

/** A NATS server that says of itself what the test says; asked for JetStream, it has it or answers that nobody is there. */
export async function startScriptedNats(info: object, { hasJetStream = false } = {}): Promise<ScriptedNats> {
  const open = new Set<Socket>();
  let said = info;
  let isRefusing = false;
  let isReady = hasJetStream;
  let isSilent = false;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    if (isSilent) return;
    const whole = { server_id: 'x', version: '2.10.0', max_payload: 1_048_576, headers: true, proto: 1, ...said };
    socket.write(`INFO ${JSON.stringify(whole)}\r\n`);
    let inbox = '';
    socket.on('data', (chunk) => {
      inbox = /^SUB \S+ (\d+)/m.exec(chunk.toString())?.[1] ?? inbox;
      if (isRefusing && chunk.includes('CONNECT')) {
        socket.end("-ERR 'Authorization Violation'\r\n");
        return;
      }
      if (chunk.includes('PING')) socket.write('PONG\r\n');
      const [, reply] = /^H?PUB \$JS\.API\.INFO (\S+) /m.exec(chunk.toString()) ?? [];
      if (reply === undefined) return;
      if (isReady) socket.write(`MSG ${reply} ${inbox} ${ACCOUNT.length}\r\n${ACCOUNT}\r\n`);
      else socket.write(`HMSG ${reply} ${inbox} 16 16\r\nNATS/1.0 503\r\n\r\n\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    become: (more) => {
      said = { ...said, ...more };
    },
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    finishReading: () => {
      isReady = true;
    },
    pause: () => {
      isSilent = true;
    },
    say: (line) => {
      for (const socket of open) socket.write(`${line}\r\n`);
    },
    hangUp: () => {
      for (const socket of open) socket.destroy();
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
