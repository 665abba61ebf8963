import { Option, type Command } from 'commander';
import { clampTurns, estimatedMinutes } from '../../src/domain';
import type { Agent, StartedRun, StartedSet } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { UsageFailure } from '../failure';
import { findAgent, findRun } from '../named-resources';
import {
  collected,
  comparisonHarm,
  FAIL_ON,
  failOnCollected,
  HARMS,
  percentage,
  positiveNumber,
  runHarm,
  timeOfDay,
  type FailOn,
  type Harm,
} from '../option-values';
import { oneLine } from '../output/harmless-text';
import { prepareFile } from '../output/save-file';
import { conditionsOf, withConditionOptions, type ConditionOptions } from '../run-request';
import type { Host, Session } from '../session';
import type { Settings } from '../settings/settings';
import { reportRun, type Gate } from '../watch/report-run';
import { numbered, pageOf, reportSet, watchSetOrCancel } from '../watch/run-set';
import { startOnce, watchOrCancel } from '../watch/started-run';

interface RunOptions extends ConditionOptions {
  readonly agent?: readonly string[];
  readonly agentVersion?: readonly string[];
  readonly name?: string;
  readonly at?: string;
  readonly watch?: boolean;
  readonly failUnder?: number;
  readonly baseline?: string;
  readonly failOn?: readonly (FailOn | Harm)[];
  readonly minCoverage?: number;
  readonly junit?: string;
  readonly timeout?: number;
  readonly patience: number;
  readonly gates: boolean;
}

const EXAMPLES = `
Without --suite, --tag and --scenario all approved scenarios are run. Settings of .osce.yaml apply where no option is given (osce config).
With several agents, or several versions of one, each has a run of its own over the same scenarios, patients and trials: all are started
together or none, canceled together, and compared with each other. The gates apply to each; --junit writes a file for each, results-1.xml
and so on. --fail-under, --baseline, --fail-on, --min-coverage, --junit and --timeout imply --watch. An agent that has a baseline (osce agents
baseline) is compared with it unless --baseline is given.

Exit codes: 0 the run is complete, reaches the bar and shows no harm; 1 it is below the bar, or shows harm that --fail-on asks for (of several
runs: one of them is or does); 2 nothing can be said about the agent: the run failed, was canceled by another user or did not end in time,
the bar is missed only because scenarios ended in error, too few have a verdict, the runs cannot tell whether the agent is worse, the
service is out of reach, an argument is wrong; 130 canceled by Ctrl-C (143 by SIGTERM): the run is canceled on the service.

Examples:
  $ osce run --agent "Demo clinic agent" --max-scenarios 4 --watch
  $ osce run --agent "Triage agent" --tag emergency --tag triage --fail-under 85 --junit results.xml
  $ osce run --agent "Triage agent" --suite "Release gate" --timeout 30 --json > result.json
  $ osce run --agent "Triage agent" --suite "Release gate" --fail-under 85 --fail-on critical
  $ osce run --agent "Triage agent" --suite "Release gate" --trials 5 --baseline "$LAST_RELEASE" --fail-on worse
  $ osce run --agent "Triage agent" --patient cooperative --patient demanding --patient anxious/de --watch
  $ osce run --agent "Triage agent" --agent "Triage agent, small model" --trials 3 --watch
  $ osce run --agent "Phone agent" --spoken --tag emergency --watch
  $ osce run --agent "Phone agent" --spoken --line phone --noise babble:10 --sounds interruptions,backchannels,pauses --spoken-seed 7
  $ osce run --agent "Triage agent" --at 2027-01-31T02:00:00Z --name "Nightly"`;

export function addRunCommand(program: Command, host: Host): void {
  const run = program
    .command('run')
    .summary('examine an agent')
    .description('Start a test run. With --watch, follow it to its end and print its result.')
    .addOption(
      new Option(
        '--agent <name>',
        'the agent to examine, by name or id; repeatable: 2 to 8 agents are examined together and compared',
      ).argParser(collected),
    );
  withConditionOptions(run)
    .option('--name <name>', 'a name for the run')
    .addOption(
      new Option(
        '--agent-version <text>',
        'the version of the agent, such as a git commit; kept with the results; repeatable: one for each --agent, or several of one agent',
      ).argParser(collected),
    )
    .option('--at <time>', 'start it later, such as 2027-01-31T02:00:00Z', timeOfDay)
    .option('-w, --watch', 'follow the run to its end')
    .option('--fail-under <percent>', 'the pass rate that is required: exit with 1 below it', percentage)
    .option('--baseline <run>', 'compare with this run: an id, a label, or latest (default: the agent’s baseline)')
    .addOption(
      new Option(
        '--fail-on <harm>',
        'exit with 1 on must-pass: a missed must-pass criterion; critical or high: that, or a failed scenario of that severity or above; ' +
          'worse: worse than the baseline; violation: that, or a new must-pass violation; several with commas',
      )
        .choices([...HARMS, ...FAIL_ON])
        .argParser(failOnCollected),
    )
    .option(
      '--min-coverage <percent>',
      'exit with 2 when fewer percent of the conversations have a verdict',
      percentage,
    )
    .option('--junit <file>', 'write the result as JUnit XML when the run is over')
    .option('--timeout <minutes>', 'cancel the run when it takes longer, and exit with 2', positiveNumber)
    .option('--patience <seconds>', 'how long the service may be out of reach', positiveNumber, 120)
    .option('--no-gates', 'leave out the gates of .osce.yaml')
    .addHelpText('after', EXAMPLES)
    .action((options: RunOptions, command: Command) =>
      host.run(command, (session) => examine(session, completed(options, session.settings))),
    );
}

/** Fills in from the settings what the options leave open. When an option chooses scenarios, the settings' choice of them does not apply. */
function completed(options: RunOptions, { agent, file }: Settings): RunOptions {
  const { tags, suite, trials, region, gates = {} } = file?.contents ?? {};
  const namesScenarios = [options.suite, options.tag, options.scenario].some((option) => option !== undefined);
  const usual: Partial<RunOptions> = {
    ...(agent !== null && { agent: [agent.value] }),
    ...(!namesScenarios && tags !== undefined && { tag: tags }),
    ...(!namesScenarios && suite !== undefined && { suite }),
    ...(trials !== undefined && { trials }),
    ...(region !== undefined && { region }),
  };
  const { fail_under: failUnder, fail_on: failOn, baseline, min_coverage: minCoverage } = gates;
  const usualGates: Partial<RunOptions> = {
    ...(failUnder !== undefined && { failUnder }),
    ...(failOn !== undefined && { failOn }),
    ...(baseline !== undefined && { baseline }),
    ...(minCoverage !== undefined && { minCoverage }),
  };
  return { ...usual, ...(options.gates && usualGates), ...options };
}

async function examine(session: Session, options: RunOptions): Promise<number> {
  const examined = await examinedOf(session, options);
  const [only, ...others] = examined;
  if (only === undefined) throw noAgent();
  const isWatched =
    options.watch ??
    [options.failUnder, options.baseline, options.failOn, options.minCoverage, options.junit, options.timeout].some(
      (option) => option !== undefined,
    );
  return others.length === 0
    ? examineOne(session, options, only, isWatched)
    : examineSeveral(session, options, examined, isWatched);
}

async function examineOne(
  session: Session,
  options: RunOptions,
  { agent, version }: Examined,
  isWatched: boolean,
): Promise<number> {
  const { output, interrupts } = session;
  if (options.junit !== undefined) await prepareFile(options.junit);
  const gate = await gateOf(session, options, agent);
  const request = { ...(await startOf(session, options)), agent_id: agent.id, agent_version: version };
  const started = await startOnce(session, (signal) => session.api.startRun(request, signal));
  announce(session, started, sizeOf(options));
  if (options.spoken === true) output.remark(callsOf(started, options));
  if (!isWatched) output.remark(`Follow it with: osce runs watch ${oneLine(started.test_run_id)}`);
  if (!isWatched && !interrupts.signal.aborted) {
    output.answer(started, (screen) => screen.line(started.test_run_id));
    return EXIT.passed;
  }
  return reportRun(session, await watchOrCancel(session, started, options), {
    bar: options.failUnder ?? null,
    junit: options.junit ?? null,
    gate,
  });
}

async function examineSeveral(
  session: Session,
  options: RunOptions,
  examined: readonly Examined[],
  isWatched: boolean,
): Promise<number> {
  const { output, interrupts } = session;
  const { junit } = options;
  if (junit !== undefined) for (const place of examined.keys()) await prepareFile(numbered(junit, place + 1));
  const gates: Gate[] = [];
  for (const { agent } of examined) gates.push(await gateOf(session, options, agent));
  const agents = examined.map(({ agent, version }) => ({ agent_id: agent.id, agent_version: version }));
  const request = { ...(await startOf(session, options)), agents };
  const started = await startOnce(session, (signal) => session.api.startRunSet(request, signal));
  announceSet(session, started, sizeOf(options));
  if (!isWatched) output.remark(`Follow them with: osce sets watch ${oneLine(started.id)}`);
  if (!isWatched && !interrupts.signal.aborted) {
    output.answer(started, (screen) => {
      for (const { test_run_id } of started.runs) screen.line(test_run_id);
    });
    return EXIT.passed;
  }
  return reportSet(session, started, await watchSetOrCancel(session, started, options), {
    bar: options.failUnder ?? null,
    junit: junit ?? null,
    gates,
    minCoverage: options.minCoverage ?? null,
  });
}

/** The baseline is looked up before the run is started: `latest` is then the run before it, and a misspelt one costs nothing. */
async function gateOf(
  { api }: Session,
  { baseline, failOn = [], minCoverage }: RunOptions,
  { baseline_test_run_id: usual }: Agent,
): Promise<Gate> {
  const given = baseline ?? usual ?? null;
  const worse = comparisonHarm(failOn);
  if (worse !== null && given === null) {
    throw new UsageFailure(
      `--fail-on ${worse} needs a run to measure this one by: give --baseline, or name one with osce agents baseline.`,
    );
  }
  return {
    baseline: given === null ? null : await findRun(api, given),
    isNamed: baseline !== undefined,
    failOn: worse,
    harm: runHarm(failOn),
    minCoverage: minCoverage ?? null,
  };
}

/** An agent to examine, and what its version is called. */
interface Examined {
  readonly agent: Agent;
  readonly version: string | undefined;
}

/** Each agent with its version: one version is that of all of them, several of a single agent are examined each. */
async function examinedOf({ api }: Session, { agent: names, agentVersion = [] }: RunOptions): Promise<Examined[]> {
  // Not a mandatory option of commander: that would hide which other option is misspelt.
  if (names === undefined) throw noAgent();
  if (names.length > 1 && agentVersion.length > 1 && names.length !== agentVersion.length) {
    throw new UsageFailure(
      `--agent-version was given ${agentVersion.length} times for ${names.length} agents: give one for each --agent in their order, or one for all.`,
    );
  }
  const agents: Agent[] = [];
  for (const name of names) agents.push(await findAgent(api, name));
  const [only] = agents;
  if (only !== undefined && agents.length === 1 && agentVersion.length > 1) {
    return agentVersion.map((version) => ({ agent: only, version }));
  }
  return agents.map((agent, place) => ({ agent, version: agentVersion[place] ?? agentVersion[0] }));
}

function noAgent(): UsageFailure {
  return new UsageFailure('--agent is required, or agent in .osce.yaml: osce agents list shows the agents.');
}

/** What a request to start says beside which agents are examined. */
async function startOf(session: Session, options: RunOptions): Promise<object> {
  return { ...(await conditionsOf(session, options)), name: options.name, scheduled_at: options.at };
}

interface Size {
  readonly trials: number;
  readonly patients: number;
}

function sizeOf({ trials = 1, patient = [] }: RunOptions): Size {
  return { trials, patients: Math.max(1, patient.length) };
}

/** In real time, so that whoever waits knows how long. */
function callsOf({ total_scenarios: calls }: StartedRun, { turns }: RunOptions): string {
  const minutes = estimatedMinutes(calls, clampTurns(turns));
  return `Each is a call in real time: about ${minutes.toLocaleString('en')} minutes of speech in all.`;
}

function announce({ output }: Session, started: StartedRun, size: Size): void {
  const { test_run_id, status, skipped_scenario_ids: skipped = [] } = started;
  const what = status === 'scheduled' ? 'is scheduled' : 'has started';
  output.remark(`Run ${oneLine(test_run_id)} ${what}: ${scenariosOf(started, size)}.`);
  warnOfSkipped(output, skipped);
}

function announceSet(session: Session, started: StartedSet, size: Size): void {
  const { output } = session;
  const [first] = started.runs;
  const what = first?.status === 'scheduled' ? 'are scheduled' : 'have started';
  const each = first === undefined ? '' : `, each of ${scenariosOf(first, size)}`;
  output.remark(`${started.runs.length} runs ${what}${each}: ${pageOf(session, started)}`);
  for (const { title, test_run_id } of started.runs) output.remark(`  ${oneLine(test_run_id)}  ${oneLine(title)}`);
  warnOfSkipped(output, started.skipped_scenario_ids ?? []);
}

function scenariosOf({ total_scenarios: total }: StartedRun, { trials, patients }: Size): string {
  const each = [...(patients === 1 ? [] : [`${patients} patients`]), ...(trials === 1 ? [] : [`${trials} trials`])];
  const size = each.length === 0 ? '' : `, ${each.join(' and ')} of each`;
  const scenarios = total / (trials * patients);
  return `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}${size}`;
}

function warnOfSkipped(output: Session['output'], skipped: readonly string[]): void {
  if (skipped.length > 0) output.warn(`${skipped.length} inactive scenarios were left out.`);
}
