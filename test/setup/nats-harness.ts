import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { NatsTimes } from '../../src/engine/bus/nats-times';
import { NatsBus, type NatsBusOptions } from '../../src/engine/bus/nats.bus';
import { createLog, silentLog } from '../../src/platform/config/log';
import type { NatsServer } from './nats-server';

/** A client of the server that is none of ours, as another program has one. */
export function connectTo(server: NatsServer): Promise<NatsConnection> {
  return connect({ servers: server.url.slice('nats://'.length) });
}

/** Forgets the work of earlier tests. */
export async function deleteStreams(server: NatsServer): Promise<void> {
  const connection = await connectTo(server);
  const manager = await jetstreamManager(connection);
  for await (const name of manager.streams.names()) await manager.streams.delete(name);
  await connection.close();
}

/** Buses on a server without streams; closing it closes them all. */
export async function startNatsBuses(server: NatsServer, options: Partial<NatsBusOptions> = {}) {
  await deleteStreams(server);
  const opened: NatsBus[] = [];
  return {
    connect: async () => {
      const bus = await NatsBus.open({ url: server.url, log: silentLog, ...options });
      opened.push(bus);
      return bus;
    },
    close: async () => {
      await Promise.all(opened.map((bus) => bus.close()));
    },
  };
}

/** So short that what waits for them takes no second; those of answers are as long as a busy machine may need. */
export const SHORT_TIMES: NatsTimes = {
  ...new NatsTimes(),
  dialRetryMs: 5,
  longestDialRetryMs: 20,
  checkWithinMs: 200,
  checkPauseMs: 5,
  // The client takes none that are shorter.
  pullLastsMs: 1_000,
  pullHeartbeatMs: 500,
  pullRetryMs: 5,
  longestPullRetryMs: 20,
};

/** A log whose lines are kept, from warnings on unless told otherwise. */
export function keptLog(level: 'info' | 'warn' = 'warn') {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(level, {
    write: (line) => lines.push(z.record(z.string(), z.unknown()).parse(JSON.parse(line))),
  });
  return { lines, log };
}
