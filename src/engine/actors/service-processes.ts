import { Injectable } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import { Judges } from '../../examiners/judge';
import { busNameOf } from '../bus/bus.module';
import { HEARTBEAT_INTERVAL_MS } from '../ledger/lease';
import { ActorTimes } from './actor-times';
import { ProcessesStore, type OfferedExaminer, type ServiceProcess, type WantedExaminers } from './processes.store';
import { Testers } from '../../examiners/tester';
import { ProcessId } from './process-id';
import { RecentMap, RecurringTask } from '../../platform/concurrency';

/** A caller that asks less often than this has begun to wait anew. */
const ASKED_AGAIN_WITHIN_MS = 30_000;
/** Sets of examiners missed at a time; the oldest is forgotten. */
const MOST_MISSED = 1_000;

interface Missed {
  readonly since: number;
  readonly asked: number;
}

/** The processes that share the database with this one: whether they can hear each other, and who has the examiners that this one lacks. */
@Injectable()
export class ServiceProcesses {
  private readonly task: RecurringTask;
  private readonly missed = new RecentMap<Missed>(MOST_MISSED);
  private unheardOf = 0;

  constructor(
    private readonly settings: Settings,
    private readonly processId: ProcessId,
    private readonly testers: Testers,
    private readonly judges: Judges,
    private readonly store: ProcessesStore,
    private readonly times: ActorTimes,
    private readonly log: Log,
  ) {
    this.task = new RecurringTask('processes', HEARTBEAT_INTERVAL_MS, () => this.beat(), log);
  }

  start(): void {
    this.task.start();
  }

  /** Resolves when a beat in progress has ended. */
  pause(): Promise<void> {
    return this.task.stop();
  }

  async stop(): Promise<void> {
    await this.pause();
    await this.store.remove(this.processId.value).catch((error: unknown) => {
      this.log.warn('This process could not sign off; others find that by its silence', { error });
    });
  }

  /**
   * Other processes at work on this database that this one cannot hear, as of the last beat; none for as long as one process
   * replaces another.
   */
  get unheard(): number {
    return this.unheardOf;
  }

  /**
   * Whether what this process cannot do is left to another: a living process has these examiners, or one may still come. False
   * once no process has had them for long enough: the caller then ends what needs them. @throws the database's error
   */
  async isLeftToOthers(wanted: WantedExaminers, now = performance.now()): Promise<boolean> {
    const key = JSON.stringify(wanted);
    if (await this.store.anyHas(wanted)) {
      this.missed.delete(key);
      return true;
    }
    const before = this.missed.get(key);
    const since = before !== undefined && now - before.asked < ASKED_AGAIN_WITHIN_MS ? before.since : now;
    this.missed.set(key, { since, asked: now });
    return now - since < this.times.missedForMs;
  }

  private async beat(): Promise<void> {
    const unheard = await this.store.beat(this.itself());
    if (unheard > 0 && this.unheardOf === 0) this.log.warn(UNHEARD, { processes: unheard });
    if (unheard === 0 && this.unheardOf > 0)
      this.log.info('No process that cannot be heard is on this database any more');
    this.unheardOf = unheard;
  }

  private itself(): ServiceProcess {
    const { examiners } = this.settings;
    const asked = [null, ...examiners.allowed.map(({ name }) => name)];
    return {
      id: this.processId.value,
      bus: busNameOf(this.settings),
      testers: asked.flatMap((name) => offered(name, this.testers.find(name))),
      judges: asked.flatMap((name) => offered(name, this.judges.find(name))),
    };
  }
}

const UNHEARD =
  'Other processes work on this database without a bus to this one: what they do is found seconds later; set NATS_URL for all of them, or stop all but one';

function offered(
  asked: string | null,
  examiner: { readonly name: string; readonly model: string | null; readonly promptVersion: string | null } | null,
): OfferedExaminer[] {
  if (examiner === null) return [];
  return [{ asked, name: examiner.name, model: examiner.model, prompt_version: examiner.promptVersion }];
}
