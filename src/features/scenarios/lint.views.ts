import type { Finding } from '../../examiners/lint';

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
