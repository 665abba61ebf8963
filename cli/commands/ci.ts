import { createWriteStream } from 'node:fs';
import type { Command } from 'commander';
import { ciInputs, type CiInputs } from '../ci/inputs';
import { JobFiles } from '../ci/job-files';
import { runReport, type RunReport } from '../ci/outcome';
import { runOsce, runSetup } from '../ci/programs';
import { connectionFrom } from '../connection/address';
import { HttpClient } from '../connection/http-client';
import { ServiceApi } from '../connection/service-api';
import { EXIT } from '../exit-codes';
import { CommandFailure, sentenceOf, UsageFailure } from '../failure';
import { findAgent } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { prepareFile } from '../output/save-file';
import { startOwnService, type OwnService } from '../own-service';
import type { Environment, Host, Session } from '../session';
import { rateSentence } from '../watch/rate';

const EXAMPLES = `
Everything it is asked comes from the environment, where CI servers put inputs and secrets (docs/ci.md explains each):
  OSCE_AGENT            the agent to examine; the only one that must be set
  OSCE_URL, OSCE_API_KEY  the service; without OSCE_URL one is started for this job, and its data are removed with it
  OSCE_SETUP            a shell script to run first: register the agent, import scenarios. It calls osce by its name
  OSCE_SUITE, OSCE_TAGS, OSCE_SCENARIOS, OSCE_PATIENTS, OSCE_MAX_SCENARIOS, OSCE_TRIALS, OSCE_TURNS, OSCE_CONCURRENCY,
  OSCE_PASS_THRESHOLD, OSCE_REGION, OSCE_TESTER_MODEL, OSCE_JUDGE_MODEL, OSCE_RUN_NAME, OSCE_AGENT_VERSION, OSCE_FAIL_UNDER, OSCE_FAIL_ON,
  OSCE_MIN_COVERAGE, OSCE_TIMEOUT  the options of osce run; several tags, scenarios and patients on a line each
  OSCE_SPOKEN           true: by voice; OSCE_VOICE, OSCE_RATE, OSCE_LINE, OSCE_NOISE, OSCE_SOUNDS, OSCE_SPOKEN_SEED are the options of it
  OSCE_BASELINE, OSCE_BASELINE_AGENT  compare with this run, or with the baseline of the agent of this name (default: the agent's own)
  OSCE_SET_BASELINE     true: a run that passes becomes the agent's baseline
  OSCE_REPORT           folder for junit.xml, result.json, comparison.json, export.json, summary.md, outputs.env (osce-report)

GITHUB_STEP_SUMMARY and GITHUB_OUTPUT, where they are set, get the summary and the outputs run-id, pass-rate and verdict too.
Exit codes: those of osce run.

Example:
  $ OSCE_AGENT="Demo clinic agent" OSCE_TAGS=emergency OSCE_FAIL_UNDER=85 osce ci`;

export function addCiCommand(program: Command, host: Host): void {
  program
    .command('ci')
    .summary('examine an agent as a job of a CI server')
    .description(
      'Start or reach a service, examine an agent, compare it with its baseline, and write what CI servers show.',
    )
    .addHelpText('after', EXAMPLES)
    .action((_: object, command: Command) => host.run(command, examineAsJob));
}

async function examineAsJob(session: Session): Promise<number> {
  const inputs = ciInputs(session);
  const files = new JobFiles(inputs.report, session.environment);
  await prepareFile(files.junit);
  const isAddressed = session.settings.url.from !== 'default';
  try {
    if (inputs.setup !== null) requireAddressForSetup(session);
    if (isAddressed) return await examine(session, session.api, inputs, files);
    return await examineWithOwnService(session, inputs, files);
  } catch (error) {
    await files.writeFailure(sentenceOf(error));
    throw error;
  }
}

async function examineWithOwnService(session: Session, inputs: CiInputs, files: JobFiles): Promise<number> {
  const { environment, interrupts, output } = session;
  const log = createWriteStream(files.serviceLog);
  let service: OwnService | undefined;
  try {
    output.remark('Starting a service for this job …');
    service = await startOwnService({
      environment,
      signal: interrupts.signal,
      // Later requests fail, and report it.
      onFailure: ({ message }) => output.warn(message),
      log,
    });
    const connection = connectionFrom({ url: service.url, key: undefined });
    return await examine(session, new ServiceApi(new HttpClient(connection, interrupts.signal)), inputs, files);
  } finally {
    await service?.stop();
    log.end();
  }
}

async function examine(
  { environment: given, interrupts: { signal }, output }: Session,
  api: ServiceApi,
  inputs: CiInputs,
  files: JobFiles,
): Promise<number> {
  const environment = withService(given, api);
  if (inputs.becomesBaseline) await requireAdmin(api);
  if (inputs.setup !== null) await runSetup(inputs.setup, { environment, signal });
  const baseline = inputs.baseline ?? (await baselineOf(api, inputs.baselineAgent));
  const args = [
    ...['run', `--agent=${inputs.agent}`, ...inputs.runOptions, `--junit=${files.junit}`, '--watch', '--json'],
    ...(baseline === null ? [] : [`--baseline=${baseline}`]),
  ];
  const { code, printed } = await runOsce(args, { environment, signal });
  signal.throwIfAborted();
  const report = reportIn(printed);
  await files.writeReport(report, api);
  const { run } = report;
  if (inputs.becomesBaseline && code === EXIT.passed) {
    await api.setBaseline(run.agent_id, run.id);
    output.remark(`${oneLine(run.test_run_id)} is the baseline of ${oneLine(run.agent_name)} now.`);
  }
  output.answer(report, (screen) => {
    screen.line(`${oneLine(run.test_run_id)}: ${rateSentence(run, (text) => text)}. Exit code ${code}.`);
    screen.line(`Written: ${inputs.report}`);
  });
  return code ?? EXIT.harnessFailed;
}

/** The setup script has the job's credentials, and every osce in it would use this address as the job's own. @throws UsageFailure */
function requireAddressForSetup({ settings }: Session): void {
  const refusal = settings.credentialsRefusal('What OSCE_SETUP may send, such as an agent’s credentials, is');
  if (refusal !== null) throw new UsageFailure(refusal);
}

/** Checked before paying for a run that could not become the baseline. @throws CommandFailure when the key's role is not enough */
async function requireAdmin(api: ServiceApi): Promise<void> {
  const me = await api.me();
  if (me.may.change) return;
  throw new CommandFailure(
    `OSCE_SET_BASELINE takes a key with the role admin; the key "${oneLine(me.name)}" has the role ${oneLine(me.role)}. Nothing was examined.`,
  );
}

/** Null when no agent's baseline was asked for. @throws CommandFailure when the agent has none */
async function baselineOf(api: ServiceApi, agentName: string | null): Promise<string | null> {
  if (agentName === null) return null;
  const { name, baseline_test_run_id: baseline } = await findAgent(api, agentName);
  if (baseline !== null && baseline !== undefined) return baseline;
  throw new CommandFailure(
    `${oneLine(name)} (OSCE_BASELINE_AGENT) has no baseline: name one of its completed runs with osce agents baseline.`,
  );
}

/** @throws CommandFailure with what the run said instead of a report */
function reportIn(printed: string): RunReport {
  let answer: unknown;
  try {
    answer = JSON.parse(printed);
  } catch {
    throw new CommandFailure('The run ended without a result; its messages are above.');
  }
  const { data } = runReport.safeParse(answer);
  if (data !== undefined) return data;
  const said =
    typeof answer === 'object' && answer !== null && 'error' in answer ? String(answer.error) : 'without a reason';
  throw new CommandFailure(`The run has no result: ${said}`);
}

/** Environment of the programs that are started: the service's address and its key, which a service started for this job must not get. */
function withService(environment: Environment, { url, http }: ServiceApi): Environment {
  const { OSCE_API_KEY: _key, ...rest } = environment;
  const { key } = http.connection;
  return { ...rest, OSCE_URL: url, ...(key !== null && { OSCE_API_KEY: key }) };
}
