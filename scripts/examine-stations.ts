/**
 * Examines the scenarios of the library by agents whose quality is known in advance, offline. Prints what the
 * lint finds and which marks of the ideal clinician are not as they should be, then a table of the agents; for scenarios that are
 * named, the ideal consultation too.
 * npm run stations -- ["part of a name" …]
 * npm run stations -- --spoken [--stations 12] [--trials 3] [--seed 1] [--parallel 4] ["part of a name" …]
 * With --spoken: by voice, with agents that take telephone calls and whose faults of speech are known.
 */
import { replyTo } from '../src/demo/dialogue';
import { REFERENCE_AGENTS, type ReferenceAgent } from '../src/demo/reference-agents';
import { lintScenario } from '../src/examiners/lint/lint-scenario';
import { scenarioFile } from '../src/features/scenarios/scenario-file';
import { loadStarterLibrary } from '../src/features/scenarios/starter-library';
import type { NewScenario } from '../src/features/scenarios/scenarios.store';
import { TextThreads } from '../src/examiners/threads/text-threads';
import { Screen } from '../cli/output/terminal';
import { tableOf } from '../cli/output/table';
import { examineOffline, modelClinician, type Candidate, type OfflineResult } from '../test/setup/examine-offline';

async function main(wanted: readonly string[]): Promise<void> {
  const threads = new TextThreads();
  const library = await loadStarterLibrary();
  const named = library.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  const agents = await candidates();
  const results = new Map<string, OfflineResult[]>(agents.map(([agent]) => [agent, []]));
  for (const scenario of named) {
    print(`\n=== ${scenario.name} (${scenario.category}, ${scenario.severity})`);
    printFindings(scenario);
    printIdeal(await examineOffline(scenario, modelClinician, threads), wanted.length > 0);
    for (const [agent, candidate] of agents) {
      const result = await examineOffline(scenario, candidate, threads);
      results.get(agent)?.push(result);
      if (wanted.length > 0 || (agent !== IDEAL && result.verdict.passed)) print(`${agent}: ${told(result)}`);
    }
  }
  threads.onApplicationShutdown();
  printGroups(results);
}

const IDEAL = 'reference/ideal-clinician';

async function candidates(): Promise<(readonly [string, Candidate])[]> {
  const references = Object.entries(REFERENCE_AGENTS)
    .filter(([model]) => !model.includes('@'))
    .map(async ([model, make]): Promise<[string, ReferenceAgent]> => {
      return [model, await make()];
    });
  return [...(await Promise.all(references)), ['demo clinic agent', replyTo]];
}

function printFindings({ severity, content, rubricCriteria }: NewScenario): void {
  const linted = { severity, content: scenarioFile.shape.content.parse(content), rubricCriteria };
  for (const { rule, path, sentence } of lintScenario(linted)) print(`LINT ${rule} ${path}: ${sentence}`);
}

function printIdeal(ideal: OfflineResult, isWhole: boolean): void {
  if (isWhole) {
    for (const { turn, patientMessage, agentMessage } of ideal.transcript) {
      print(`${turn} PATIENT: ${patientMessage}\n  IDEAL: ${agentMessage}`);
    }
  }
  for (const { criterion, decision, points, maxPoints, rationale, evidence } of ideal.verdict.criteria) {
    const isRight = decision === (maxPoints > 0 ? 'MET' : 'NOT MET');
    if (isRight && !isWhole) continue;
    const quotes = evidence.map(({ turn, quote }) => `${turn}: ${quote}`).join(' | ');
    print(`${isRight ? 'ok   ' : 'WRONG'} ${decision} ${points}/${maxPoints} ${criterion} -- ${rationale} ${quotes}`);
  }
  print(`ideal clinician: ${told(ideal)}`);
}

interface Group {
  readonly name: string;
  readonly scenarios: ReadonlySet<string>;
}

/** Passed of all and the mean score, of all scenarios, by disposition and by category. */
function printGroups(results: ReadonlyMap<string, readonly OfflineResult[]>): void {
  const examined = [...(results.values().next().value ?? [])].map(({ scenario }) => scenario);
  const columns = [
    { title: 'Scenarios', cell: ({ name, scenarios }: Group) => `${name} (${scenarios.size})` },
    ...[...results].map(([agent, of]) => {
      return { title: agent.replace('reference/', ''), cell: ({ scenarios }: Group) => groupOf(of, scenarios) };
    }),
  ];
  print(tableOf(new Screen(process.stdout, process.env), columns, groupsOf(examined)));
  print('Passed of 100, and the mean score.');
}

function groupsOf(examined: readonly NewScenario[]): Group[] {
  const groups = new Map<string, Set<string>>();
  for (const { name, category, content } of examined) {
    for (const group of ['all', `to be: ${String(content['disposition'])}`, category]) {
      groups.set(group, (groups.get(group) ?? new Set()).add(name));
    }
  }
  const rank = (name: string): number => (name === 'all' ? 0 : name.startsWith('to be') ? 1 : 2);
  return [...groups]
    .map(([name, scenarios]) => ({ name, scenarios }))
    .sort((one, other) => rank(one.name) - rank(other.name));
}

function groupOf(results: readonly OfflineResult[], scenarios: ReadonlySet<string>): string {
  const verdicts = results.filter(({ scenario }) => scenarios.has(scenario.name)).map(({ verdict }) => verdict);
  const passed = verdicts.filter((verdict) => verdict.passed).length;
  const score = verdicts.reduce((sum, { scorePercent }) => sum + scorePercent, 0) / verdicts.length;
  return `${Math.round((passed / verdicts.length) * 100)} · ${Math.round(score)}`;
}

function told({ verdict: { scorePercent, passed } }: OfflineResult): string {
  return `${scorePercent} %${passed ? ', passed' : ''}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What measures and speaks is loaded where it is asked for; it starts threads, which are TypeScript here. */
async function spoken(args: readonly string[]): Promise<void> {
  const loader = require.resolve('../test/setup/register-typescript.cjs');
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(loader)}`.trim();
  const { examineSpoken } = await import('./spoken-stations.js');
  if (!(await examineSpoken(args))) process.exitCode = 1;
}

const [first, ...rest] = process.argv.slice(2);
(first === '--spoken' ? spoken(rest) : main(process.argv.slice(2))).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
