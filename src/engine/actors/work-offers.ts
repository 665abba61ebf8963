import { Injectable } from '@nestjs/common';
import { Bus } from '../bus/bus';
import { Settings } from '../../platform/config/settings';
import type { Standing } from '../ledger/ownership.store';
import { enqueueWork } from './scenario-run-work';

/** Rounds between dispatching again what was dispatched but never claimed: usually it only waits for a free slot. */
const ROUNDS_BETWEEN_REOFFERS = 5;

/**
 * Dispatches again what no one executes: its message or its owner was lost. At most as much per round as one process can
 * execute, whatever the runs' limits allow: what waits behind that finds no slot before the next rounds anyway, and a queue
 * that already holds it gains nothing from a second copy. The runs take turns.
 */
@Injectable()
export class WorkOffers {
  private round = 0;

  constructor(
    private readonly bus: Bus,
    private readonly settings: Settings,
  ) {}

  /** @param unowned of each supervised run, in the order in which they were dispatched. @throws BusError */
  async offer(unowned: readonly (readonly Standing[])[]): Promise<void> {
    this.round += 1;
    const isForAll = this.round % ROUNDS_BETWEEN_REOFFERS === 0;
    const begun = unowned.map((ofRun) => ofRun.filter(({ attempt }) => attempt > 0));
    const fresh = unowned.map((ofRun) => (isForAll ? ofRun.filter(({ attempt }) => attempt === 0) : []));
    const due = [...inTurns(begun), ...inTurns(fresh)].slice(0, this.settings.maxActiveScenarios);
    for (const standing of due) await enqueueWork(this.bus, standing);
  }
}

/** The first of each list, then the second of each, and so on. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}
