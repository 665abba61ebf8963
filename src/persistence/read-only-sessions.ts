import { Client, type Pool, type PoolClient } from 'pg';

/** SQLSTATE: the server takes no writes. */
const READ_ONLY = '25006';

/**
 * Leaves the sessions with a server that has turned out to take no writes. After a failover a name may lead to the standby for a while
 * longer: a session that was opened then never breaks, and every write that it is given would fail for as long as the process lives. With
 * one that says so go all that are open, of every pool: what they read is of the same server.
 */
export class ReadOnlySessions {
  private readonly pools: Pool[] = [];
  private leaveThoseBefore = -Infinity;

  watch(pool: Pool): void {
    this.pools.push(pool);
    const opened = new WeakMap<PoolClient, number>();
    // Not `connect`: a session may be older than this watch.
    pool.on('acquire', (session) => {
      if (opened.has(session) || !(session instanceof Client)) return;
      opened.set(session, performance.now());
      // Whoever has asked, also the ORM: the driver tells of it here, and gives the session back as a sound one.
      session.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        if (code === READ_ONLY) this.leave();
      });
    });
    // The pool looks right after this whether the session is ending, and then forgets it.
    pool.on('release', (_error, session) => {
      if (session instanceof Client && (opened.get(session) ?? 0) <= this.leaveThoseBefore) void session.end();
    });
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
