import { Option, type Command } from 'commander';
import type { Agent } from '../connection/answers';
import type { TestRun } from '../connection/run-answers';
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
import { conditionsOf, twinConditionsOf, withConditionOptions, type ConditionOptions } from '../run-request';
import type { Host, Session } from '../session';
import type { Settings } from '../settings/settings';
import { announce, announceSet, beginningOf, callsOf, scenariosOf, sizeOf, warnOfSkipped } from '../watch/announce-run';
import { reportRun, type Gate } from '../watch/report-run';
import { numbered, reportSet, watchSetOrCancel } from '../watch/run-set';
import { reportPair, watchTwinsOrCancel } from '../watch/run-pair';
import { startOnce, watchOrCancel } from '../watch/started-run';
import { isOver } from '../watch/watch-run';

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
  readonly twinOf?: string;
  readonly both?: boolean;
}

const EXAMPLES = `
Without --suite, --tag and --scenario all approved scenarios are run. Settings of .osce.yaml apply where no option is given (osce config).
With several agents, or several versions of one, each has a run of its own over the same scenarios, patients and trials: all are started
together or none, canceled together, and compared with each other. The gates apply to each; --junit writes a file for each, results-1.xml
and so on. --fail-under, --baseline, --fail-on, --min-coverage, --junit and --timeout imply --watch. An agent that has a baseline (osce agents
baseline) is compared with it unless --baseline is given.

--both examines one agent in text and by voice, over the same scenarios, patients, trials and seeds, and then prints what voice costs.
--twin-of examines the same as a run that there is already, in the other modality, or as --spoken, --line and the others say. The gates apply
to each run that is started; a baseline to the run that is held as it was, in text or by voice. The difference between twins is shown, and
decides no exit code.

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
  $ osce run --agent "Phone agent" --both --line phone --tag emergency --trials 3 --fail-under 80
  $ osce run --twin-of run_20270130090000_1f0c9a2e --line phone --noise babble:10 --watch
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
    .addOption(
      new Option(
        '--both',
        'in text and by voice: two runs over the same conversations, compared pair by pair',
      ).conflicts('twinOf'),
    )
    .addOption(
      new Option(
        '--twin-of <run>',
        'examine the same as this run (an id, a label, or latest), in the other modality or as --spoken and --line say',
      ).conflicts([...OF_THE_TWIN]),
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
    .option('--no-spoken', 'in text, although .osce.yaml says spoken')
    .option('--no-gates', 'leave out the gates of .osce.yaml')
    .addHelpText('after', EXAMPLES)
    .action((options: RunOptions, command: Command) =>
      host.run(command, (session) => examine(session, completed(options, session.settings))),
    );
}

/** What a twin has from the run that it is a twin of. */
const OF_THE_TWIN = [
  'agent',
  'agentVersion',
  'suite',
  'tag',
  'scenario',
  'maxScenarios',
  'trials',
  'patient',
  'testerModel',
  'judgeModel',
  'turns',
  'passThreshold',
  'region',
] as const satisfies readonly (keyof RunOptions)[];

/** Fills in from the settings what the options leave open. When an option chooses scenarios, the settings' choice of them does not apply. */
function completed(options: RunOptions, { agent, file }: Settings): RunOptions {
  const { tags, suite, trials, region, spoken, gates = {} } = file?.contents ?? {};
  const { seed: spokenSeed, ...sound } = spoken ?? {};
  const namesScenarios = [options.suite, options.tag, options.scenario].some((option) => option !== undefined);
  const usual: Partial<RunOptions> =
    options.twinOf === undefined
      ? {
          ...(agent !== null && { agent: [agent.value] }),
          ...(!namesScenarios && tags !== undefined && { tag: tags }),
          ...(!namesScenarios && suite !== undefined && { suite }),
          ...(trials !== undefined && { trials }),
          ...(region !== undefined && { region }),
          ...(spoken !== undefined &&
            options.spoken !== false && { spoken: true, ...sound, ...(spokenSeed !== undefined && { spokenSeed }) }),
        }
      : {};
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
  const isWatched =
    options.watch ??
    [options.failUnder, options.baseline, options.failOn, options.minCoverage, options.junit, options.timeout].some(
      (option) => option !== undefined,
    );
  if (options.twinOf !== undefined) return examineTwin(session, options, options.twinOf, isWatched);
  const examined = await examinedOf(session, options);
  const [only, ...others] = examined;
  if (only === undefined) throw noAgent();
  if (options.both === true) {
    if (others.length === 0) return examineBoth(session, options, only);
    throw new UsageFailure('--both examines one agent, in one version: name a single --agent and --agent-version.');
  }
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
  if (options.spoken === true) output.remark(callsOf(started, { max_turns: options.turns }));
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

/** The run that was named is compared with as it is then: it may still be under way. */
async function examineTwin(session: Session, options: RunOptions, of: string, isWatched: boolean): Promise<number> {
  const { api, output, interrupts } = session;
  const { junit } = options;
  if (junit !== undefined) await prepareFile(junit);
  const twin = await findRun(api, of);
  const gate = await gateOf(session, options, twin);
  const request = { ...twinConditionsOf(options), twin_of: twin.id, name: options.name, scheduled_at: options.at };
  const started = await startOnce(session, (signal) => api.startRun(request, signal));
  const run = await api.testRun(started.id);
  output.remark(
    `Run ${oneLine(started.test_run_id)} ${beginningOf(started)}, ${wayOf(run)}: the twin of ${oneLine(twin.test_run_id)}.`,
  );
  if (run.modality === 'spoken') output.remark(callsOf(started, run));
  if (!isWatched && !interrupts.signal.aborted) {
    output.remark(`Follow it with: osce runs watch ${oneLine(started.test_run_id)}`);
    output.answer(started, (screen) => screen.line(started.test_run_id));
    return EXIT.passed;
  }
  const ended = await watchOrCancel(session, started, options);
  const limits = { bar: options.failUnder ?? null, junit: junit ?? null };
  const before = await api.testRun(twin.id);
  if (!isOver(before)) {
    const pair = `${oneLine(before.test_run_id)} ${oneLine(ended.test_run_id)}`;
    output.remark(`${oneLine(before.test_run_id)} is still going on. When it has ended: osce compare ${pair} --twins`);
  }
  return reportRun(session, ended, {
    ...limits,
    gate: gateFor(gate, ended),
    ...(isOver(before) && { twin: before }),
  });
}

/** Spoken first: what cannot be spoken is refused before anything was started. */
async function examineBoth(session: Session, options: RunOptions, { agent, version }: Examined): Promise<number> {
  const { api, output, interrupts } = session;
  const { junit } = options;
  for (const place of junit === undefined ? [] : [1, 2]) await prepareFile(numbered(junit ?? '', place));
  const gate = await gateOf(session, options, agent);
  const asked = await startOf(session, { ...options, spoken: true });
  const spoken = await startOnce(session, (signal) =>
    api.startRun({ ...asked, agent_id: agent.id, agent_version: version }, signal),
  );
  const twin = { twin_of: spoken.id, modality: 'text', name: options.name, scheduled_at: options.at };
  const text = await startOnce(session, (signal) => api.startRun(twin, signal)).catch(async (error: unknown) => {
    const label = oneLine(spoken.test_run_id);
    await api.cancelRun(spoken.id).then(
      () => output.remark(`Run ${label}, which was to be its twin, was canceled.`),
      () => output.warn(`Run ${label} may continue. Cancel it with: osce runs cancel ${label}`),
    );
    throw error;
  });
  const twins = [
    { title: 'In text', started: text },
    { title: 'Spoken', started: spoken },
  ];
  output.remark(`Two runs ${beginningOf(spoken, 2)}, each of ${scenariosOf(spoken, sizeOf(options))}.`);
  for (const { title, started } of twins) output.remark(`  ${oneLine(started.test_run_id)}  ${title}`);
  output.remark(callsOf(spoken, { max_turns: options.turns }));
  warnOfSkipped(output, spoken.skipped_scenario_ids ?? []);
  if (spoken.status === 'scheduled' && !interrupts.signal.aborted) {
    const labels = twins.map(({ started }) => oneLine(started.test_run_id));
    output.remark(`When both have ended: osce compare ${labels.join(' ')} --twins`);
    output.answer({ runs: twins.map(({ started }) => started) }, (screen) =>
      labels.forEach((label) => screen.line(label)),
    );
    return EXIT.passed;
  }
  const ended = await watchTwinsOrCancel(session, twins, options);
  return reportPair(session, ended, {
    bar: options.failUnder ?? null,
    junit: junit ?? null,
    gates: ended.map(({ run }) => gateFor(gate, run)),
    minCoverage: options.minCoverage ?? null,
  });
}

/** A baseline that was held in the other modality says nothing of a change of the agent. */
function gateFor(gate: Gate, { modality }: TestRun): Gate {
  return gate.baseline === null || gate.baseline.modality === modality ? gate : { ...gate, baseline: null };
}

function wayOf({ modality, spoken }: TestRun): string {
  if (modality !== 'spoken') return 'in text';
  return spoken === null || spoken === undefined ? 'spoken' : `spoken over ${oneLine(spoken.line)}`;
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
  { baseline_test_run_id: usual }: Pick<Agent, 'baseline_test_run_id'>,
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
