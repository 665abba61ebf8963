import { z } from 'zod';
import { approvalWords, TEST_RUN_STATUSES } from '../../src/domain';
import { shortened } from '../output/harmless-text';
import { countsOf, rateSentence } from '../watch/rate';
import { runFields, runSummary } from './run-summary';
import { registering, type Registration } from './tool';
import { lineOrNull } from './untrusted';

const MOST = 200;
const limit = z.int().min(1).max(MOST).default(50).describe(`At most this many, up to ${MOST}.`);
const offset = z.int().min(0).max(1_000_000).default(0).describe('Leave out this many from the beginning.');
const containing = z.string().max(200).optional().describe('Only those whose name contains this, in any case.');
const total = z.int();
const LONGEST = 200;

const listAgents = registering({
  name: 'list_agents',
  title: 'List agents',
  description: 'The AI agents that can be examined, by name. Their configs and credentials are not shown.',
  effect: 'reads',
  input: z.object({ containing, limit, offset }),
  output: z.object({
    agents: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        provider: z.string(),
        description: z.string().nullable(),
        is_active: z.boolean(),
        baseline_test_run_id: z.string().nullable(),
      }),
    ),
    total,
  }),
  answer: async ({ containing: part, limit: most, offset: from }, { api }) => {
    const fitting = (await api.agents()).filter(({ name }) => contains(name, part));
    const agents = fitting.slice(from, from + most).map((agent) => ({
      id: agent.id,
      name: shortened(agent.name, LONGEST),
      provider: agent.provider,
      description: lineOrNull(agent.description, LONGEST),
      is_active: agent.is_active,
      baseline_test_run_id: agent.baseline_test_run_id ?? null,
    }));
    const lines = agents.map(({ id, name, provider }) => `${name} (${provider}), id ${id}`);
    return { result: { agents, total: fitting.length }, text: listText('agents', lines, fitting.length) };
  },
});

const listScenarios = registering({
  name: 'list_scenarios',
  title: 'List scenarios',
  description: 'The active scenarios, by priority and name: what is examined, without script and rubric.',
  effect: 'reads',
  input: z.object({
    containing,
    tag: z.string().max(200).optional().describe('Only those with this tag.'),
    category: z.string().max(200).optional().describe('Only those of this category.'),
    approved: z
      .boolean()
      .optional()
      .describe('true: only those that are approved, signed by a clinician or not; false: only drafts.'),
    limit,
    offset,
  }),
  output: z.object({
    scenarios: z.array(
      z.object({
        scenario_id: z.string(),
        name: z.string(),
        category: z.string(),
        severity: z.string().nullable(),
        approved: z.boolean(),
        approval: z
          .string()
          .describe('draft; starter, not signed; approved, not signed; or approved by whom, in which role.'),
        tags: z.array(z.string()),
        criteria: z.int(),
      }),
    ),
    total,
  }),
  answer: async ({ containing: part, tag, category, approved, limit: most, offset: from }, { api }) => {
    const fitting = (await api.scenarios(tag)).filter(
      (one) =>
        contains(one.name, part) &&
        (category === undefined || one.category === category) &&
        (approved === undefined || one.approved === approved),
    );
    const scenarios = fitting.slice(from, from + most).map((one) => ({
      scenario_id: one.scenario_id,
      name: shortened(one.name, LONGEST),
      category: shortened(one.category, LONGEST),
      severity: one.severity ?? null,
      approved: one.approved,
      approval: shortened(approvalWords(one), 2 * LONGEST),
      tags: one.tags.map((text) => shortened(text, LONGEST)),
      criteria: one.rubric_criteria.length,
    }));
    const lines = scenarios.map(
      ({ name, category: of, severity, approval }) =>
        `${name} (${[of, ...(severity === null ? [] : [severity]), approval].join(', ')})`,
    );
    return { result: { scenarios, total: fitting.length }, text: listText('scenarios', lines, fitting.length) };
  },
});

const listSuites = registering({
  name: 'list_suites',
  title: 'List suites',
  description: 'The suites: named selections of scenarios that a run can examine with.',
  effect: 'reads',
  input: z.object({ containing, limit, offset }),
  output: z.object({
    suites: z.array(z.object({ id: z.string(), name: z.string(), scenarios: z.int() })),
    total,
  }),
  answer: async ({ containing: part, limit: most, offset: from }, { api }) => {
    const fitting = (await api.suites()).filter(({ name }) => contains(name, part));
    const suites = fitting
      .slice(from, from + most)
      .map(({ id, name, scenario_ids }) => ({ id, name: shortened(name, LONGEST), scenarios: scenario_ids.length }));
    const lines = suites.map(({ name, scenarios }) => `${name}: ${scenarios} scenarios`);
    return { result: { suites, total: fitting.length }, text: listText('suites', lines, fitting.length) };
  },
});

const listRuns = registering({
  name: 'list_runs',
  title: 'List runs',
  description: 'The test runs, newest first, with their pass rates.',
  effect: 'reads',
  input: z.object({
    status: z.enum(TEST_RUN_STATUSES).optional().describe('Only those with this status.'),
    tag: z.string().min(1).max(200).optional().describe('Only those that have this tag.'),
    containing: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only those with this text in their name, note or tags, or in the name or version of their agent.'),
    limit,
  }),
  output: z.object({ runs: z.array(runFields), total }),
  answer: async ({ status, tag, containing: q, limit: most }, { api }) => {
    const { runs: found, total: all } = await api.testRuns(most, { status, tag, q });
    const runs = found.map(runSummary);
    const lines = found.map(
      (run, at) =>
        `${run.test_run_id}: ${runs[at]?.agent_name ?? ''}, ${run.status}. ${rateSentence(run, (text) => text)}: ${countsOf(run)}`,
    );
    return { result: { runs, total: all }, text: listText('runs', lines, all) };
  },
});

export const LISTING_TOOLS: readonly Registration[] = [listAgents, listScenarios, listSuites, listRuns];

function contains(name: string, part: string | undefined): boolean {
  return part === undefined || name.toLocaleLowerCase('en').includes(part.toLocaleLowerCase('en'));
}

function listText(noun: string, lines: readonly string[], all: number): string {
  if (lines.length === 0) return `No matching ${noun}${all > 0 ? ` here, of ${all}` : ''}.`;
  return [`${lines.length} of ${all} ${noun}:`, ...lines].join('\n');
}
