import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streamName } from '../../src/engine/bus/nats-work-stream';
import { subjects } from '../../src/engine/bus/bus';
import type { Cluster } from '../cluster/cluster';
import type { World } from './world';

/** Work that was lost on the way is offered again after 30 s and then found to be done. */
const QUEUE_EMPTY_WITHIN_MS = 90_000;
/** Connections to agents and models are kept for a while for the next request. */
const SOCKETS_CLOSED_WITHIN_MS = 45_000;
const STOPS_WITHIN_MS = 15_000;
const LOOK_MS = 200;

export interface Leftovers {
  readonly violations: readonly string[];
  /**
   * Messages that a killed NATS server has in its stream although its consumer has settled them: the two are not written
   * together. Nobody gets them again; they go by the stream's age limit.
   */
  readonly orphaned: number;
}

/** What is left of a cluster on which every history has ended: first while it idles, then when its processes were stopped. */
export async function findLeftovers(cluster: Cluster, world: World): Promise<Leftovers> {
  const violations: string[] = [];
  const expect = async (withinMs: number, count: () => Promise<number> | number, what: string): Promise<void> => {
    const left = await untilZero(withinMs, count);
    if (left > 0) violations.push(`${left} ${what}`);
  };
  await expect(0, () => world.inFlight, 'outside calls are open although every run has ended');
  await expect(
    QUEUE_EMPTY_WITHIN_MS,
    async () => (await lookAtQueue(cluster)).deliverable,
    'pieces of work are left in the queue',
  );
  const { orphaned } = await lookAtQueue(cluster);
  await expect(SOCKETS_CLOSED_WITHIN_MS, () => world.openSockets, 'connections of idle processes are open');
  await expect(0, () => countOwned(cluster), 'scenario runs have an owner although they are final');
  await expect(5_000, () => countIdleTransactions(cluster), 'transactions stand open');
  for (const [number, { process }] of cluster.members.entries()) {
    const began = Date.now();
    const code = await process.end('SIGTERM');
    const tookMs = Date.now() - began;
    if (code !== 0) violations.push(`process ${number} ended with ${code} when stopped`);
    if (tookMs > STOPS_WITHIN_MS) violations.push(`process ${number} took ${tookMs} ms to stop`);
  }
  await expect(5_000, () => countConnections(cluster), 'connections to PostgreSQL are left');
  return { violations, orphaned };
}

async function untilZero(withinMs: number, count: () => Promise<number> | number): Promise<number> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = await count();
    if (left === 0 || Date.now() > deadline) return left;
    await sleep(LOOK_MS);
  }
}

async function lookAtQueue(cluster: Cluster): Promise<{ deliverable: number; orphaned: number }> {
  const connection = await connect({ servers: cluster.nats.url.replace('nats://', '') });
  try {
    const manager = await jetstreamManager(connection);
    const stream = streamName(subjects.scenarioRunWork);
    const { state } = await manager.streams.info(stream);
    const { num_pending, num_ack_pending } = await manager.consumers.info(stream, 'processes');
    const deliverable = num_pending + num_ack_pending;
    return { deliverable, orphaned: Math.max(0, state.messages - deliverable) };
  } finally {
    await connection.close();
  }
}

async function countOwned(cluster: Cluster): Promise<number> {
  return count(cluster, `SELECT count(*)::int FROM test_runs WHERE owner IS NOT NULL`);
}

async function countIdleTransactions(cluster: Cluster): Promise<number> {
  return count(
    cluster,
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'agent-osce' AND state LIKE 'idle in transaction%'`,
  );
}

async function countConnections(cluster: Cluster): Promise<number> {
  return count(cluster, `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'agent-osce'`);
}

async function count(cluster: Cluster, sql: string): Promise<number> {
  const [row] = await cluster.query<{ count: number }>(sql);
  return row?.count ?? 0;
}
