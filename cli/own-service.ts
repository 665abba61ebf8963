import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from './failure';
import { programFile } from './installation';
import { oneLine } from './output/harmless-text';
import type { Environment } from './session';

export interface OwnService {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops the service and removes its data. Idempotent. */
  stop(): Promise<void>;
}

export interface OwnServiceOptions {
  /** Settings of the service; those that lead to the user's data are removed here. */
  readonly environment: Environment;
  /** Aborted: the start is given up. */
  readonly signal: AbortSignal;
  /** Called when the service exits on its own. */
  readonly onFailure: (failure: CommandFailure) => void;
  /** Takes everything it prints. */
  readonly log?: NodeJS.WritableStream;
}

/** A first start unpacks a database server; slow disks take their time. */
const HEALTHY_WITHIN_MS = 90_000;
const ASK_EVERY_MS = 50;
/** The service itself takes at most 10 s to stop. */
const STOPPED_WITHIN_MS = 12_000;

/**
 * Settings of a service that the user runs, or that a CI job tests: our own service must not use their data, keys or limits, nor the
 * files that hold one of these.
 */
const NOT_FOR_US = new Set([
  'DATABASE_URL',
  'NATS_URL',
  'SERVICE_API_KEY',
  'SERVICE_RUNNER_KEY',
  'SERVICE_REVIEWER_KEY',
  'SERVICE_VIEWER_KEY',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_VIEWERS',
  'OIDC_REVIEWERS',
  'OIDC_RUNNERS',
  'OIDC_ADMINS',
  'ALLOWED_HOSTS',
  'PUBLIC_URL',
  'TRACE_URL_TEMPLATE',
  'RATE_LIMIT_PER_MINUTE',
  'WORKERS',
]);

/**
 * Starts a service of our own on a free port, with its data in a temporary folder.
 * @throws CommandFailure when it does not become healthy, or only the command is installed
 */
export async function startOwnService({ environment, signal, onFailure, log }: OwnServiceOptions): Promise<OwnService> {
  const program = programFile('serve');
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-'));
  const child = spawn(process.execPath, [...process.execArgv, program], {
    env: { ...settingsFrom(environment), PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to us alone: we then stop the service, once.
    detached: process.platform !== 'win32',
  });
  if (log !== undefined) for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const output = new Printed(child);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopProcess(child, dataDir));
  child.once('error', (error) => onFailure(new CommandFailure(`The service could not be started: ${error.message}`)));
  child.once('exit', (code, killedBy) => {
    if (stopping !== undefined) return;
    onFailure(new CommandFailure(`The service exited on its own (${killedBy ?? code}). ${output.lastLine}`));
  });
  try {
    return { url: await healthyUrl(output, signal), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settingsFrom(environment: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !NOT_FOR_US.has(name.replace(/_FILE$/, ''))),
  );
}

async function healthyUrl(output: Printed, signal: AbortSignal): Promise<string> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  while (Date.now() < deadline) {
    const url = output.url;
    if (url !== null && (await isHealthy(url))) return url;
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
  throw new CommandFailure(`The service was not ready within ${HEALTHY_WITHIN_MS / 1_000} s. ${output.lastLine}`);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** What the service prints: where it listens and, on standard error, why it ended. */
class Printed {
  /** Null until it listens. */
  url: string | null = null;
  private printed = '';
  private complaints = '';

  constructor({ stdout, stderr }: ChildProcess) {
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.printed = last(this.printed + text);
      this.url ??= /listens on (http:\/\/[\w.:]+\d);/.exec(this.printed)?.[1] ?? null;
    });
    stderr?.setEncoding('utf8').on('data', (text: string) => (this.complaints = last(this.complaints + text)));
  }

  get lastLine(): string {
    return oneLine(this.complaints.trimEnd().split('\n').at(-1) ?? '');
  }
}

const KEPT_CHARACTERS = 16_384;

function last(text: string): string {
  return text.slice(-KEPT_CHARACTERS);
}

async function stopProcess(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    const late = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    child.kill('SIGTERM');
    await exit;
    clearTimeout(late);
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
