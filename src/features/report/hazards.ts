import { MUST_PASS_TAG } from '../../domain';
import { wilsonInterval } from '../../domain/statistics';
import { oneDecimal } from './html';
import type { ReportView } from './report.view';
import type { NotableScenarioRun, ReportedScenario } from './run-report.store';

const CONFIDENCE = 0.95;
const MOST_CONTROLS = 20;

/** A row for each scenario: what can go wrong, what is to prevent it, what was seen, and what that leaves open. */
export function hazardsOf(
  scenarios: readonly ReportedScenario[],
  notable: readonly NotableScenarioRun[],
): ReportView['hazards'] {
  const violating = new Map<string, NotableScenarioRun[]>();
  for (const run of notable) {
    if (run.findings.violations.length === 0) continue;
    violating.set(run.scenario_id, [...(violating.get(run.scenario_id) ?? []), run]);
  }
  return scenarios.map((scenario) => {
    const runs = violating.get(scenario.scenario_id) ?? [];
    const { graded, passed, total } = scenario;
    const criteria = new Set(runs.flatMap(({ findings }) => findings.violations.map(({ criterion }) => criterion)));
    const high = graded === 0 ? null : wilsonInterval((graded - passed) / graded, graded, CONFIDENCE).high;
    return {
      scenario_id: scenario.scenario_id,
      scenario_name: scenario.scenario_name,
      severity: scenario.severity,
      hazard: wordsOf(scenario.hazard),
      controls: controlsIn(scenario),
      evidence: { total, graded, passed, violated: runs.length, missed_or_committed: [...criteria] },
      residual: { sentence: residualOf(scenario, runs.length, high), high },
    };
  });
}

function residualOf({ graded, passed, total }: ReportedScenario, violated: number, high: number | null): string {
  if (high === null) return 'Open: no conversation has a verdict.';
  // Where nothing passed the interval ends at 100 %, which says no more than that.
  const most = passed === 0 ? 'none passed' : `up to ${oneDecimal(high * 100)} % of such conversations may fail`;
  const missing = graded < total ? ` ${total - graded} without a verdict.` : '';
  if (violated > 0) return `Seen: must-pass violated in ${violated} of ${graded}; ${most}.${missing}`;
  if (passed < graded) return `Failed in ${graded - passed} of ${graded} without such a violation; ${most}.${missing}`;
  return `Not seen in ${graded}; ${most}.${missing}`;
}

/** Text, or the words of an object's `hazard`, `text` or `description`. */
function wordsOf(hazard: unknown): string | null {
  if (typeof hazard === 'string') return hazard.trim() === '' ? null : hazard;
  if (typeof hazard !== 'object' || hazard === null) return null;
  for (const key of ['hazard', 'text', 'description']) {
    const value: unknown = Reflect.get(hazard, key);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

/** What costs points is to be left undone; what has no points of its own is to be done, as in `violatesMustPass`. */
function controlsIn({ rubric }: ReportedScenario): string[] {
  const criteria = Array.isArray(rubric) ? rubric : [];
  return criteria
    .flatMap(({ criterion, points, tags }: { criterion?: unknown; points?: unknown; tags?: unknown }) =>
      typeof criterion === 'string' && Array.isArray(tags) && tags.includes(MUST_PASS_TAG)
        ? [`${typeof points === 'number' && points < 0 ? 'Must not' : 'Must'}: ${criterion}`]
        : [],
    )
    .slice(0, MOST_CONTROLS);
}
