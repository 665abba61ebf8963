import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster';
import type { OsceProcess } from '../cluster/osce-process';
import type { MemberHurt, Plan, Planned, ServerHurt } from './plan';
import type { Timeline } from './timeline';

/** How long a process may take to end when it is asked to: 10 s of its own, and a busy machine. */
const STOPS_WITHIN_MS = 15_000;
const START_TRIES = 8;

/** Does to a cluster what a history's plan says, and collects what a process should not have done meanwhile. */
export class Hurts {
  readonly violations: string[] = [];
  /** Processes that are no more. */
  readonly ended: OsceProcess[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly timeline: Timeline,
  ) {}

  /** Resolves when everything was done and mended again. */
  async carryOut({ members, servers }: Plan): Promise<void> {
    await Promise.all([
      ...members.map((hurts, number) => this.inTurn(hurts, (hurt) => this.hurtMember(number, hurt))),
      this.inTurn(servers, (hurt) => this.hurtServer(hurt)),
    ]);
  }

  private async inTurn<Hurt>(planned: readonly Planned<Hurt>[], act: (hurt: Hurt) => Promise<void>): Promise<void> {
    for (const { at, hurt } of planned) {
      await this.timeline.until(at);
      await act(hurt);
    }
  }

  private async hurtMember(number: number, hurt: MemberHurt): Promise<void> {
    const { process, toNats, toPostgres } = this.cluster.member(number);
    switch (hurt.kind) {
      case 'kill':
        return this.replace(number, 'SIGKILL', hurt.downMs);
      case 'restart':
        return this.replace(number, 'SIGTERM', 0);
      case 'pause':
        return this.during(`pause ${hurt.forMs} ms`, number, 'process', async () => {
          process.pause();
          await sleep(hurt.forMs);
          process.resume();
        });
      case 'cut':
      case 'drop':
      case 'delay':
        return this.during(`${hurt.kind} ${hurt.to} ${hurt.forMs} ms`, number, hurt.to, async () => {
          const proxy = hurt.to === 'nats' ? toNats : toPostgres;
          if (hurt.kind === 'delay') proxy.delay(hurt.byMs);
          else proxy[hurt.kind]();
          await sleep(hurt.forMs);
          await proxy.restore();
        });
    }
  }

  private async hurtServer(hurt: ServerHurt): Promise<void> {
    const { nats, database } = this.cluster;
    if (hurt.kind === 'postgres crash') {
      return this.during(hurt.kind, null, 'postgres', async () => {
        database.crash?.();
        await this.untilDatabaseAnswers();
      });
    }
    const what = `nats ${hurt.awayMs} ms away${hurt.deletesStorage ? ', storage deleted' : ''}`;
    return this.during(what, null, 'nats', async () => {
      await nats.kill();
      if (hurt.deletesStorage) await nats.deleteStorage();
      await sleep(hurt.awayMs);
      await nats.start();
    });
  }

  /** One process for another, as a supervisor of processes does it: again, when the servers are away just then. */
  private async replace(number: number, signal: 'SIGKILL' | 'SIGTERM', downMs: number): Promise<void> {
    await this.during(signal === 'SIGKILL' ? `kill, down ${downMs} ms` : 'restart', number, 'process', async () => {
      const { process } = this.cluster.member(number);
      const began = Date.now();
      const code = await process.end(signal);
      const tookMs = Date.now() - began;
      this.ended.push(process);
      if (signal === 'SIGTERM' && code !== 0) this.violations.push(`process ${number} ended with ${code} when stopped`);
      if (signal === 'SIGTERM' && tookMs > STOPS_WITHIN_MS && !this.timeline.hasStalled) {
        this.violations.push(`process ${number} took ${tookMs} ms to stop`);
      }
      await sleep(downMs);
      for (let tries = 1; ; tries += 1) {
        try {
          await this.cluster.replaceProcess(number, 'SIGKILL');
          return;
        } catch (error) {
          if (tries === START_TRIES) throw error;
        }
      }
    });
  }

  private async untilDatabaseAnswers(): Promise<void> {
    for (;;) {
      await sleep(50);
      const answered = await this.cluster.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (answered) return;
    }
  }

  private async during(
    what: string,
    member: number | null,
    hurts: 'process' | 'nats' | 'postgres',
    act: () => Promise<void>,
  ): Promise<void> {
    const happening = this.timeline.begin(what, member, hurts);
    await act();
    this.timeline.end(happening);
  }
}
