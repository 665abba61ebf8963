import pc from 'picocolors';
import { CommandFailure } from '../cli/failure';
import { serveCommand } from '../cli/installation';
import { oneLine } from '../cli/output/harmless-text';
import { startOwnService, type OwnService } from '../cli/own-service';
import { Screen } from '../cli/output/terminal';
import { passRateLine, resultsTable } from '../cli/watch/results';
import { DEMO_AGENT_NAME } from '../src/demo/demo-agent';
import { chooseScenarios } from './choose-scenarios';
import { DemoFailure, Interruption } from './demo-failure';
import { examine, type Examined } from './examination';
import { ServiceApi } from './service-api';

/** 128 plus the number of SIGINT, as in shells. */
const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.env);

const USAGE = `npm run demo: examines the demo clinic agent over the scenarios of the starter library, by rules, without a key.
It starts a service of its own on a free port, shows the results, and removes the service with its data.

  --spoken   rings a demo phone agent instead and speaks with it, in about half a minute; the call can be heard until Ctrl-C.
             It needs the program espeak-ng, and no key

To keep a service running: npm start`;

/** Examines the demo clinic agent from start to finish, with a service of its own that is removed afterwards. */
async function main(): Promise<void> {
  const [given, ...more] = process.argv.slice(2);
  if (given === '--help' || given === '-h') {
    say(USAGE);
    return;
  }
  const isSpoken = given === '--spoken';
  const unknown = isSpoken ? more[0] : given;
  if (unknown !== undefined) {
    process.exitCode = 2;
    say(`The demo takes no option ${oneLine(unknown)}.\n\n${USAGE}`);
    return;
  }
  const end = new AbortController();
  const interrupt = (): void => end.abort(new Interruption());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.exitCode = INTERRUPTED;
      interrupt();
    });
  }
  // The reader of a pipe may leave before the end (`| head`): printing is then useless.
  process.stdout.on('error', interrupt);
  try {
    if (!isSpoken) await demonstrate(end);
    else await (await import('./spoken-demo.js')).demonstrateByVoice({ screen, say, end, startService });
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
  const service = await startService({}, end);
  try {
    const api = new ServiceApi(service.url, signal);
    const { run, scenarioRuns } = await examineAll(api, signal);
    say(resultsTable(screen, scenarioRuns));
    say(`${passRateLine(screen, run)}.\n`);
    await sayWhereToGoOn(api);
  } finally {
    await service.stop();
  }
}

/**
 * The demonstration costs nothing: it calls no language model and no speech server, even if the environment names one, and ignores the
 * user's limits.
 */
const NOT_FOR_THE_DEMO =
  /^(MAX_ACTIVE_SCENARIOS|ALLOWED_MODELS|KEEP_RECORDINGS|(ANTHROPIC|EXAMINER|TESTER|JUDGE|SPEECH|TRANSCRIPTION)_\w+)$/;

function startService(settings: Readonly<Record<string, string>>, end: AbortController): Promise<OwnService> {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_FOR_THE_DEMO.test(name));
  return startOwnService({
    environment: { ...Object.fromEntries(kept), LOG_LEVEL: 'warn', ...settings },
    signal: end.signal,
    onFailure: (failure) => end.abort(failure),
  });
}

async function examineAll(api: ServiceApi, signal: AbortSignal): Promise<Examined> {
  const agent = (await api.agents()).find(({ name }) => name === DEMO_AGENT_NAME);
  if (agent === undefined) throw new DemoFailure(`The service did not register the "${DEMO_AGENT_NAME}".`);
  const scenarios = chooseScenarios(await api.scenarios());
  say(
    `Examining ${pc.cyan(agent.name)} with ${scenarios.length} patients; no language model is used, so it costs nothing.`,
  );
  const scenario_ids = scenarios.map(({ scenario_id }) => scenario_id);
  return examine(api, { agent_id: agent.id, scenario_ids, name: 'Demonstration' }, screen, signal);
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
