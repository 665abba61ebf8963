import { Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { LinesOfCallers, Serves } from '../../../platform/http';
import { AgentHistoryService } from './agent-history.service';
import { getAgentHistory, type AgentHistoryView } from '../../../../contract/agent-history';
import type { QueryOf } from '../../../../contract/operation';

/** Hundreds of thousands of scenario runs are added up for some of them. */
const AT_ONCE = 2;

@Controller()
export class AgentHistoryController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(private readonly histories: AgentHistoryService) {}

  @Serves(getAgentHistory)
  find(
    @Param('id') id: string,
    @Query({ schema: getAgentHistory.query }) query: QueryOf<typeof getAgentHistory>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentHistoryView> {
    return this.lines.inLine(response, () => this.histories.find(id, query));
  }
}
