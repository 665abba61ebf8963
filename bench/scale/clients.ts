import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { monotonicMs } from '../clock';

export interface Load {
  readonly clients: number;
  /** The time from one request of a client to its next; null for at once after the answer. */
  readonly everyMs: number | null;
  readonly seconds: number;
  /** The most requests of one client. */
  readonly requests: number;
}

/** How long each answer took, in milliseconds. @throws Error when one is not a 200 */
export async function ask(url: string, path: (place: number) => string, load: Load): Promise<number[]> {
  const pool = new Pool(url, { connections: load.clients, pipelining: 1 });
  const began = monotonicMs();
  const until = began + load.seconds * 1_000;
  const took: number[] = [];
  let place = 0;
  const client = async (number: number): Promise<void> => {
    const every = load.everyMs ?? 0;
    // Clients do not send in step.
    let due = began + (every * number) / load.clients;
    for (let sent = 0; sent < load.requests; sent += 1) {
      const wait = due - monotonicMs();
      if (wait > 0) await sleep(wait);
      const sentAt = monotonicMs();
      if (sentAt > until) return;
      took.push(await time(pool, path((place += 1)), sentAt));
      due += every;
    }
  };
  try {
    await Promise.all(Array.from({ length: load.clients }, (_, number) => client(number)));
  } finally {
    await pool.close();
  }
  return took;
}

async function time(pool: Pool, path: string, sentAt: number): Promise<number> {
  const { statusCode, body } = await pool.request({ path, method: 'GET' });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text.slice(0, 300)}`);
  return monotonicMs() - sentAt;
}
