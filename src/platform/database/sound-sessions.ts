import { Client, type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { isConnectionError } from './unavailable';

/** SQLSTATE: the server takes no writes. */
const READ_ONLY = '25006';

/**
 * Keeps in the pools only sessions that whoever comes next can work with. The driver's pool forgets one whose connection broke, or
 * whose single statement failed; the ORM gives all of them back as sound ones. These go too:
 *
 * - Those in the middle of a transaction, or of a statement that nobody waits for any more, as when the network stood still for longer
 *   than we wait: what the next one writes would be part of a transaction that nobody commits.
 * - Those with a server that has turned out to take no writes. After a failover a name may lead to the standby for a while longer: a
 *   session that was opened then never breaks, and every write that it is given would fail for as long as the process lives. With one
 *   that says so go all that are open, of every pool: what they read is of the same server.
 */
export class SoundSessions {
  private readonly pools: Pool[] = [];
  private readonly opened = new WeakMap<object, number>();
  private readonly givenUp = new WeakSet<object>();
  private leaveThoseBefore = -Infinity;

  watch(pool: Pool): void {
    this.pools.push(pool);
    // Not `connect`: a session may be older than this watch.
    pool.on('acquire', (session) => {
      if (this.opened.has(session) || !(session instanceof Client)) return;
      this.opened.set(session, performance.now());
      // Whoever has asked, also the ORM.
      session.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        if (code === READ_ONLY) this.leave();
      });
    });
    // The pool looks right after this whether the session is ending, and then forgets it.
    pool.on('release', (_error, session) => {
      if (session instanceof Client && !this.isSound(session)) void session.end();
    });
  }

  /** What a statement of the ORM has failed with is told to nobody else. */
  watchStatements({ subscribers }: DataSource): void {
    subscribers.push({
      afterQuery: async ({ success, error, queryRunner }) => {
        if (success || !isConnectionError(error)) return;
        const session: unknown = await queryRunner.connect();
        if (session instanceof Client) this.givenUp.add(session);
      },
    });
  }

  private isSound(session: Client): boolean {
    const status = session.getTransactionStatus();
    const isInTransaction = status === 'T' || status === 'E';
    return !isInTransaction && !this.givenUp.has(session) && (this.opened.get(session) ?? 0) > this.leaveThoseBefore;
  }

  /** Those that are used when they are given back, and those that nobody uses at once. */
  private leave(): void {
    this.leaveThoseBefore = performance.now();
    for (const pool of this.pools) {
      for (let left = pool.idleCount; left > 0; left -= 1) {
        pool.connect().then(
          (session) => session.release(),
          () => undefined,
        );
      }
    }
  }
}
