import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RoomServiceClient } from 'livekit-server-sdk';

const BINARY = process.env['LIVEKIT_SERVER'] ?? join(__dirname, '..', '..', 'artifacts', 'bin', 'livekit-server');

/** What to do on a machine without one. */
export const INSTALL_HINT =
  'run scripts/install-voice-peers.sh to test with a real LiveKit server and real voice agents';

export function hasLiveKitServer(): boolean {
  return existsSync(BINARY);
}

/** A real LiveKit server on loopback, with ports that were free; it keeps them over restarts. */
export class LiveKitServer {
  readonly apiKey = 'devkey';
  /** As long as the server demands of production keys, so that nobody is warned. */
  readonly apiSecret = 'secret-of-the-livekit-server-in-tests';
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    private ports: Ports,
    private readonly furtherKeys: Readonly<Record<string, string>>,
  ) {}

  /** @param furtherKeys secrets by API key, as good as its own */
  static async start(furtherKeys: Readonly<Record<string, string>> = {}): Promise<LiveKitServer> {
    if (!hasLiveKitServer()) throw new Error(`There is no LiveKit server: ${INSTALL_HINT}.`);
    const server = new LiveKitServer(await freePorts(), furtherKeys);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** What clients join at. */
  get url(): string {
    return `ws://127.0.0.1:${this.ports.signal}`;
  }

  get port(): number {
    return this.ports.signal;
  }

  /** The server's own view, independent of the code under test. */
  get rooms(): RoomServiceClient {
    return new RoomServiceClient(this.url.replace('ws:', 'http:'), this.apiKey, this.apiSecret);
  }

  /** Names of the rooms there are. */
  async roomNames(): Promise<readonly string[]> {
    return (await this.rooms.listRooms()).map(({ name }) => name);
  }

  /** Identities of those who are in a room; none when there is no such room. */
  async identitiesIn(room: string): Promise<readonly string[]> {
    if (!(await this.roomNames()).includes(room)) return [];
    return (await this.rooms.listParticipants(room)).map(({ identity }) => identity);
  }

  /** Starts it, or starts it again on the same ports. */
  async start(): Promise<void> {
    for (let attempt = 1; !(await this.spawn()); attempt += 1) {
      if (attempt === 10) throw new Error(`The LiveKit server does not start: ${this.output}`);
      await sleep(250);
      // Something else may have taken a port in the meantime.
      if (attempt > 3) this.ports = await freePorts();
    }
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  close(): Promise<void> {
    return this.kill();
  }

  /** Answers false when it ended before it answered. */
  private async spawn(): Promise<boolean> {
    this.output = '';
    const child = spawn(BINARY, ['--config-body', this.configuration()], { stdio: ['ignore', 'pipe', 'pipe'] });
    // Known before it is ready, so that whatever happens close() ends it.
    this.child = child;
    const keep = (chunk: Buffer): void => {
      this.output = `${this.output}${chunk.toString()}`.slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    let ended = false;
    child.once('error', () => (ended = true));
    child.once('exit', () => (ended = true));
    for (let tries = 0; tries < 400 && !ended; tries += 1) {
      const isReady = await this.roomNames().then(
        () => true,
        () => false,
      );
      if (isReady) return true;
      await sleep(50);
    }
    return false;
  }

  private configuration(): string {
    return JSON.stringify({
      port: this.ports.signal,
      bind_addresses: ['127.0.0.1'],
      keys: { [this.apiKey]: this.apiSecret, ...this.furtherKeys },
      rtc: {
        udp_port: this.ports.udp,
        tcp_port: this.ports.tcp,
        node_ip: '127.0.0.1',
        use_external_ip: false,
        enable_loopback_candidate: true,
        interfaces: { includes: ['lo'] },
        stun_servers: [],
      },
      // An empty room must not be what cleans up after the code under test.
      room: { empty_timeout: 600, departure_timeout: 600 },
      logging: { level: 'info' },
    });
  }
}

interface Ports {
  readonly signal: number;
  readonly tcp: number;
  readonly udp: number;
}

async function freePorts(): Promise<Ports> {
  const [signal, tcp, udp] = await Promise.all([freeTcpPort(), freeTcpPort(), freeUdpPort()]);
  return { signal, tcp, udp };
}

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The socket has no port.');
  return address.port;
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
