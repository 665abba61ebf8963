import pc from 'picocolors';
import { CommandFailure } from '../cli/failure';
import { serveCommand } from '../cli/installation';
import { oneLine } from '../cli/output/harmless-text';
import { startOwnService } from '../cli/own-service';
import { Screen } from '../cli/output/terminal';
import { startProgress } from '../cli/watch/progress';
import { passRateLine, resultsTable } from '../cli/watch/results';
import { Tally } from '../cli/watch/tally';
import { DEFAULT_TURNS } from '../src/domain';
import { DEMO_AGENT_NAME } from '../src/demo/demo-agent';
import { chooseScenarios } from './choose-scenarios';
import { DemoFailure } from './demo-failure';
import { followRun } from './follow-run';
import { ServiceApi, type ScenarioRun, type StartedRun, type TestRun } from './service-api';

/** 128 plus the number of SIGINT, as in shells. */
const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.env);

const USAGE = `npm run demo: examines the demo clinic agent over the scenarios of the starter library, by rules, without a key.
It starts a service of its own on a free port, shows the results, and removes the service with its data. It takes no
options. To keep a service running: npm start`;

/** Examines the demo clinic agent from start to finish, with a service of its own that is removed afterwards. */
async function main(): Promise<void> {
  const [given] = process.argv.slice(2);
  if (given === '--help' || given === '-h') {
    say(USAGE);
    return;
  }
  if (given !== undefined) {
    process.exitCode = 2;
    say(`The demo takes no option ${oneLine(given)}.\n\n${USAGE}`);
    return;
  }
  const end = new AbortController();
  const interrupt = (): void => end.abort(new DemoFailure('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.exitCode = INTERRUPTED;
      interrupt();
    });
  }
  // The reader of a pipe may leave before the end (`| head`): printing is then useless.
  process.stdout.on('error', interrupt);
  try {
    await demonstrate(end);
  } catch (error) {
    if (process.exitCode === INTERRUPTED) {
      say(pc.yellow('Interrupted; stopping the service and removing its data.'));
      return;
    }
    const sentence =
      error instanceof DemoFailure || error instanceof CommandFailure
        ? error.message
        : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${pc.red('The demonstration failed.')} ${sentence}\n`);
    process.exitCode = 1;
  }
}

async function demonstrate(end: AbortController): Promise<void> {
  const { signal } = end;
  say(pc.bold('Agent OSCE: a clinical examination of an AI agent'));
  say('Starting a separate service, with its data in a temporary folder …');
  const service = await startOwnService({
    environment: { ...withoutModels(process.env), LOG_LEVEL: 'warn' },
    signal,
    onFailure: (failure) => end.abort(failure),
  });
  try {
    const api = new ServiceApi(service.url, signal);
    const { run, scenarioRuns } = await examine(api, signal);
    say(resultsTable(screen, scenarioRuns));
    say(`${passRateLine(screen, run)}.\n`);
    await sayWhereToGoOn(api);
  } finally {
    await service.stop();
  }
}

/** The demonstration costs nothing: it calls no language model, even if the environment names one, and ignores the user's limits. */
const NOT_FOR_THE_DEMO = /^(MAX_ACTIVE_SCENARIOS|ALLOWED_MODELS|(ANTHROPIC|EXAMINER|TESTER|JUDGE)_\w+)$/;

function withoutModels(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !NOT_FOR_THE_DEMO.test(name)));
}

async function examine(
  api: ServiceApi,
  signal: AbortSignal,
): Promise<{ readonly run: TestRun; readonly scenarioRuns: readonly ScenarioRun[] }> {
  const agent = (await api.agents()).find(({ name }) => name === DEMO_AGENT_NAME);
  if (agent === undefined) throw new DemoFailure(`The service did not register the "${DEMO_AGENT_NAME}".`);
  const scenarios = chooseScenarios(await api.scenarios());
  const started = await api.startRun(
    agent.id,
    scenarios.map(({ scenario_id }) => scenario_id),
    'Demonstration',
  );
  say(
    `Examining ${pc.cyan(agent.name)} with ${started.total_scenarios} patients; no language model is used, so it costs nothing.`,
  );
  await follow(api.url, started, signal);
  const run = await api.testRun(started.id);
  if (run.status !== 'completed') {
    throw new DemoFailure(`The run ended as ${run.status}: ${oneLine(run.error_message ?? 'without a reason')}`);
  }
  return { run, scenarioRuns: await api.scenarioRuns(started.id) };
}

async function follow(url: string, started: StartedRun, signal: AbortSignal): Promise<void> {
  const progress = startProgress(screen, new Tally(started.total_scenarios, DEFAULT_TURNS, 1));
  try {
    await followRun({ url, runId: started.id, signal, onEvent: (event) => progress.show(event) });
  } finally {
    progress.stop();
  }
}

async function sayWhereToGoOn(api: ServiceApi): Promise<void> {
  say('This service stops now. To keep one running, with the same agent and scenarios:');
  say(`  ${pc.bold(serveCommand(process.env))}`);
  if (await api.hasPage()) say(`  the page             ${pc.cyan('http://127.0.0.1:8000/')}`);
  say(`  the API, described   ${pc.cyan('http://127.0.0.1:8000/docs')}`);
  say('Patients and judge ran on rules. Set ANTHROPIC_API_KEY to use a language model for both.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
