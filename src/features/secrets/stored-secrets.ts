import { Injectable, Module } from '@nestjs/common';
import { Log } from '../../platform/config';
import { ADVISORY_LOCKS, ResealingStore, TableRewritesStore } from '../../platform/database';
import { type ClaimedJob, type Ending, Jobs, type InPieces } from '../../platform/jobs';

/** A process that is still given another key may write in between; and until then a table may be in use. */
const AGAIN_MS = 10 * 60_000;

/**
 * Encrypts stored secrets, encrypts them with another key, or decrypts them, as SECRETS_KEY says, while the service works; and has
 * tables rewritten whose files still hold what was encrypted.
 */
@Injectable()
export class StoredSecrets {
  constructor(
    jobs: Jobs,
    private readonly resealing: ResealingStore,
    private readonly tableRewrites: TableRewritesStore,
    private readonly log: Log,
  ) {
    jobs.addUpkeep({
      name: 'encrypt stored secrets',
      everyMs: AGAIN_MS,
      lock: ADVISORY_LOCKS.reencryption,
      round: (inPieces) => this.reseal(inPieces),
    });
    jobs.add({
      name: 'table rewrites',
      table: { name: 'pending_table_rewrites', key: 'table_name', keepsRows: false },
      lookEveryMs: 2_000,
      atOnce: 1,
      leaseMs: 30_000,
      limitMs: 120_000,
      backoff: () => AGAIN_MS,
      attempt: (job) => this.rewrite(job),
    });
  }

  private async reseal(inPieces: InPieces): Promise<void> {
    const { encrypted, rekeyed, decrypted, unopened } = await this.resealing.resealAll(inPieces);
    for (const sentence of unopened) this.log.error('A stored secret cannot be decrypted', { sentence });
    if (encrypted + rekeyed + decrypted === 0) return;
    this.log.info('Stored secrets were brought under SECRETS_KEY', { encrypted, rekeyed, decrypted });
  }

  private async rewrite({ key: table }: ClaimedJob): Promise<Ending> {
    const outcome = await this.tableRewrites.rewrite(table);
    const told = { tables: [table] };
    if (outcome === 'in use') {
      const sentence = 'Old plain text is still in the files of tables that are in use; they are written anew later';
      this.log.info(sentence, told);
      return { kind: 'not made', afterMs: AGAIN_MS };
    }
    if (outcome === 'left') {
      this.log.warn('Old plain text is still in the files of tables: run VACUUM FULL on them when nobody works', told);
    }
    return { kind: 'done' };
  }
}

/** Brings secrets that are stored already under SECRETS_KEY when it is set, changed or taken away. */
@Module({ providers: [StoredSecrets] })
export class SecretsModule {}
