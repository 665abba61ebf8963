import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { othersTurn } from '../../../platform/concurrency';
import { AgentHistoryStore, type AgentHistoryFilter } from './agent-history.store';
import { affordable, HistoryLine } from './history-line';
import type { HistoryPoint, AgentHistoryView } from '../../../../contract/agent-history';

/** Older runs that are looked at for one to compare the first point with. */
const LOOKED_BACK = 25;

export interface AgentHistoryRequest extends AgentHistoryFilter {
  /** Points. */
  readonly limit: number;
}

/** How an agent fared over time, and which of its runs say something about a change of it. */
@Injectable()
export class AgentHistoryService {
  constructor(private readonly store: AgentHistoryStore) {}

  /** @throws NotFoundException for an unknown agent or suite, BadRequestException for a time that ends before it begins */
  async find(agentId: string, { limit, ...filter }: AgentHistoryRequest): Promise<AgentHistoryView> {
    const { suite, from, to } = filter;
    const name = await this.store.nameOf(agentId);
    if (name === null) throw new NotFoundException('Agent not found');
    if (suite !== undefined && !(await this.store.hasSuite(agentId, suite))) {
      throw new NotFoundException('suite: no such test suite; give its id.');
    }
    if (from !== undefined && to !== undefined && from >= to) {
      throw new BadRequestException('from: must be earlier than to; runs from `from` on and before `to` are meant.');
    }
    const found = await this.store.runs(agentId, filter, limit + LOOKED_BACK);
    const runs = affordable(found);
    const results = await this.store.results(
      runs.map(({ id }) => id),
      filter.tag,
    );
    const line = new HistoryLine();
    const points: HistoryPoint[] = [];
    for (const run of runs.toReversed()) {
      const result = results.get(run.id);
      // It was deleted meanwhile.
      if (result === undefined || result.severe.length === 0) continue;
      points.push(line.add(run, result));
      // Sums over the scenarios of a large run take some milliseconds.
      await othersTurn();
    }
    const shown = points.slice(-limit);
    const more = found.length > runs.length || points.length > shown.length;
    return { agent_id: agentId.toLowerCase(), agent_name: name, more, points: shown };
  }
}
