import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { Log } from '../../platform/config/log';
import { Settings } from '../../platform/config/settings';
import { AuditStore } from './audit.store';

const FORGET_EVERY_MS = 10 * 60_000;

/** Removes records that are older than AUDIT_DAYS. */
@Injectable()
export class ForgottenRecords implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly forgetting: RecurringTask;
  private isStopping = false;

  constructor(
    private readonly store: AuditStore,
    private readonly settings: Settings,
    log: Log,
  ) {
    this.forgetting = new RecurringTask('forget old audit records', FORGET_EVERY_MS, () => this.forgetOld(), log);
  }

  onApplicationBootstrap(): void {
    if (this.settings.auditDays !== null) this.forgetting.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    return this.forgetting.stop();
  }

  private async forgetOld(): Promise<void> {
    const { auditDays } = this.settings;
    if (auditDays === null) return;
    // Each statement removes a thousand: what comes in is never more than what goes.
    while (!this.isStopping && (await this.store.forgetOld(auditDays)));
  }
}
