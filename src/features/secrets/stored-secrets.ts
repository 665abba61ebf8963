import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, Module } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { Log } from '../../platform/config/log';
import { TableRewritesStore } from '../../platform/database/encryption/table-rewrites.store';
import { ResealingStore } from '../../platform/database/encryption/resealing.store';

/** A process that is still given another key may write in between. */
const LOOK_EVERY_MS = 10 * 60_000;

/** Encrypts stored secrets, encrypts them with another key, or decrypts them, as SECRETS_KEY says; while the service works. */
@Injectable()
export class StoredSecrets implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly looking: RecurringTask;

  constructor(
    private readonly resealing: ResealingStore,
    private readonly tableRewrites: TableRewritesStore,
    private readonly log: Log,
  ) {
    this.looking = new RecurringTask('encrypt stored secrets', LOOK_EVERY_MS, () => this.look(), log);
  }

  onApplicationBootstrap(): void {
    this.looking.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.looking.stop();
  }

  private async look(): Promise<void> {
    const done = await this.resealing.resealAll(this.stopping.signal);
    const { encrypted, rekeyed, decrypted, unopened, isComplete } = done;
    for (const sentence of unopened) this.log.error('A stored secret cannot be decrypted', { sentence });
    if (encrypted + rekeyed + decrypted > 0) {
      this.log.info('Stored secrets were brought under SECRETS_KEY', { encrypted, rekeyed, decrypted });
    }
    // The process that still seals clears away after that; if it stops before, the next round here does.
    if (!isComplete) return;
    const { left, later } = await this.tableRewrites.rewritePending();
    if (later.length > 0) {
      this.log.info('Old plain text is still in the files of tables that are in use; they are written anew later', {
        tables: later,
      });
    }
    if (left.length === 0) return;
    this.log.warn('Old plain text is still in the files of tables: run VACUUM FULL on them when nobody works', {
      tables: left,
    });
  }
}

/** Brings secrets that are stored already under SECRETS_KEY when it is set, changed or taken away. */
@Module({ providers: [StoredSecrets] })
export class SecretsModule {}
