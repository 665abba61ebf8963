import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { Endpoint } from '../../../platform/http/endpoint';
import { filledText, givenId, queryNumber } from '../../../platform/http/field';
import { LinesOfCallers } from '../../../platform/http/lines-of-callers';
import { MOST_SEARCHED } from './agent-history.store';
import { AgentHistoryService, agentHistoryView, type AgentHistoryView } from './agent-history.service';

const USUAL_POINTS = 50;
const MOST_POINTS = 200;

/** Hundreds of thousands of scenario runs are added up for some of them. */
const AT_ONCE = 2;

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'expected a day such as 2026-03-14, or a time such as 2026-03-14T09:26:53Z',
  })
  .transform((text) => new Date(text));

const historyQuery = z.object({
  suite: givenId.optional().describe('Only runs of this test suite: its UUID, also when it is deleted.'),
  tag: filledText(200)
    .optional()
    .describe(
      `Only scenarios that have this tag now are counted, and only runs that had one of them, among the newest ${MOST_SEARCHED.toLocaleString('en')} otherwise meant.`,
    ),
  from: time.optional().describe('Only runs that were started then or later. A day begins at midnight UTC.'),
  to: time.optional().describe('Only runs that were started before that.'),
  limit: queryNumber(z.int().min(1).max(MOST_POINTS).default(USUAL_POINTS)).describe(
    `At most this many points, the newest ones; up to ${MOST_POINTS}.`,
  ),
});

@ApiTags('Agents')
@Controller('api/v1/agents/:id/history')
export class AgentHistoryController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(private readonly histories: AgentHistoryService) {}

  @Get()
  @Endpoint({
    id: 'getAgentHistory',
    role: 'viewer',
    summary: 'Get how an agent fared, run after run',
    description:
      'Each run that has ended is a point. Two of them say something about the agent only where `comparable_to` names the one in the other: ' +
      'over the same scenarios, trials, patients and examiners. docs/statistics.md says more.',
    answers: {
      200: { description: 'The history, the oldest first.', schema: agentHistoryView },
      400: 'A parameter is wrong.',
      404: 'The agent, or the test suite, is not found.',
    },
  })
  find(
    @Param('id') id: string,
    @Query({ schema: historyQuery }) query: z.output<typeof historyQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentHistoryView> {
    return this.lines.inLine(response, () => this.histories.find(id, query));
  }
}
