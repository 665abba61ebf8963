import { DEFAULT_REGION } from '../../../src/domain';
import type { Schedule, ScheduleFields } from '../api/schedules';
import type { StartOfAgent } from '../api/runs';
import { EMPTY_DRAFT, type Draft } from '../start/plan';
import { spokenDraftOf } from '../start/spoken-draft';

type FailOn = NonNullable<NonNullable<Schedule['gate']>['fail_on']>;

/** The contents of the form; numbers are text until they are parsed, `''` is none. */
export interface ScheduleDraft {
  readonly name: string;
  readonly run: Draft;
  readonly cron: string;
  readonly timeZone: string;
  readonly overlap: Schedule['overlap'];
  readonly failUnder: string;
  readonly failOn: FailOn | '';
  readonly minCoverage: string;
}

/** @param schedule null for a new one, which begins with every night in the reader's zone */
export function draftOf(schedule: Schedule | null, agentId: string): ScheduleDraft {
  if (schedule === null) {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const run = { ...EMPTY_DRAFT, agentId };
    return { name: '', run, cron: '0 3 * * *', timeZone, overlap: 'skip', failUnder: '', failOn: '', minCoverage: '' };
  }
  const { name, cron, time_zone: timeZone, overlap, gate } = schedule;
  return {
    ...{ name, cron, timeZone, overlap },
    run: runDraftOf(schedule.run),
    failUnder: textOf(gate?.fail_under),
    failOn: gate?.fail_on ?? '',
    minCoverage: textOf(gate?.min_coverage),
  };
}

/** The whole schedule, as it is created or changed. @param request of the run; @param kept the run as it was stored */
export function fieldsOf(draft: ScheduleDraft, request: StartOfAgent, kept: Schedule['run'] | null): ScheduleFields {
  const { scheduled_at: _, ...run } = request;
  const gate = {
    fail_under: numberOf(draft.failUnder),
    fail_on: draft.failOn === '' ? null : draft.failOn,
    min_coverage: numberOf(draft.minCoverage),
  };
  return {
    name: draft.name.trim(),
    run: { ...unseen(kept), ...run },
    cron: draft.cron.trim(),
    time_zone: draft.timeZone.trim(),
    overlap: draft.overlap,
    gate: Object.values(gate).some((bar) => bar !== null) ? gate : null,
  };
}

/** What the form does not show, so that it is kept: patients and models are set by the API and the command. */
function unseen(run: Schedule['run'] | null) {
  const { patients, tester_model, judge_model } = run ?? {};
  return {
    ...(patients !== undefined && { patients }),
    ...(tester_model !== undefined && { tester_model }),
    ...(judge_model !== undefined && { judge_model }),
  };
}

function runDraftOf(run: Schedule['run']): Draft {
  const { scenario_ids, test_suite_id, tags } = run;
  return {
    ...EMPTY_DRAFT,
    agentId: run.agent_id,
    name: run.name ?? '',
    agentVersion: run.agent_version ?? '',
    selection:
      scenario_ids !== undefined
        ? 'scenarios'
        : test_suite_id !== undefined
          ? 'suite'
          : tags !== undefined
            ? 'tags'
            : 'all',
    tags: tags ?? [],
    suiteId: test_suite_id ?? '',
    scenarioIds: scenario_ids ?? [],
    maxScenarios: textOf(run.max_scenarios),
    trials: textOf(run.trials),
    maxTurns: textOf(run.max_turns),
    concurrency: textOf(run.concurrency_limit),
    passThreshold: textOf(run.pass_threshold),
    region: run.region ?? DEFAULT_REGION,
    ...spokenDraftOf(run),
  };
}

function textOf(number: number | null | undefined): string {
  return number === null || number === undefined ? '' : String(number);
}

function numberOf(text: string): number | null {
  return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
}
