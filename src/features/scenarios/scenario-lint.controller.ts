import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { callerOf } from '../../platform/access/caller';
import { clientGone } from '../../platform/http/client-gone';
import { Endpoint } from '../../platform/http/endpoint';
import { lintRequest, type LintRequest } from './lint.requests';
import { lintedList, type LintedList } from './lint.views';
import { ScenarioLinter } from './scenario-linter';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios')
export class ScenarioLintController {
  constructor(private readonly linter: ScenarioLinter) {}

  @Post('lint')
  @Endpoint({
    id: 'lintScenarios',
    role: 'viewer',
    recorded: 'never',
    summary: 'Lint scenarios',
    description:
      'Rules, no language model: questions that the patient answers unasked, two acts in one criterion, a rubric that a fixed text passes, and the like. Nothing is stored.',
    answers: {
      200: { description: 'The findings, scenario by scenario.', schema: lintedList },
      400: 'A field is wrong, or one of the ids is unknown; the message names it.',
    },
  })
  lint(
    @Body({ schema: lintRequest }) request: LintRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LintedList> {
    return this.linter.lint(request, callerOf(response.req), clientGone(response));
  }
}
