import { z } from 'zod';
import { id } from '../../platform/http/field';
import { FINDING_SEVERITIES, type Finding } from '../../examiners/lint/read-scenario';

export const finding = z
  .object({
    rule: z.string().describe('docs/writing-scenarios.md explains each.'),
    severity: z.enum(FINDING_SEVERITIES),
    path: z
      .string()
      .describe('Where it stands in the scenario.')
      .meta({ examples: ['rubric_criteria[3].criterion'] }),
    sentence: z.string().describe('What is wrong, and what to write instead.'),
  })
  .meta({ id: 'ScenarioFinding' });

export const lintedList = z.object({
  scenarios: z.array(
    z
      .object({
        scenario_id: id.nullable().describe('Null for a scenario that was sent.'),
        name: z.string().nullable(),
        findings: z.array(finding),
      })
      .meta({ id: 'LintedScenario' }),
  ),
  total: z.int(),
  total_findings: z.int(),
});

export interface Linted {
  readonly scenario_id: string | null;
  readonly name: string | null;
  readonly findings: readonly Finding[];
}

export type LintedList = ReturnType<typeof listOfLinted>;

export function listOfLinted(scenarios: readonly Linted[]) {
  return {
    scenarios,
    total: scenarios.length,
    total_findings: scenarios.reduce((sum, { findings }) => sum + findings.length, 0),
  };
}
