import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../cli/output/harmless-text';
import { DemoFailure } from './demo-failure';

export interface ServiceProcess {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops the service and removes its data. Idempotent. */
  stop(): Promise<void>;
}

/** A first start unpacks a database server; slow disks take their time. */
const HEALTHY_WITHIN_MS = 90_000;
const ASK_EVERY_MS = 50;
/** The service itself takes at most 10 s to stop. */
const STOPPED_WITHIN_MS = 12_000;

/** Settings of the user's own service, which must not lead the demonstration to other people's data or cost money. */
const NOT_FOR_THE_DEMO =
  /^(DATABASE_URL|NATS_URL|SERVICE_API_KEY|RATE_LIMIT_PER_MINUTE|MAX_ACTIVE_SCENARIOS|ALLOWED_MODELS|(ANTHROPIC|EXAMINER|TESTER|JUDGE)_\w+)$/;

/**
 * Starts a service of its own on a free port, with its data in a temporary folder.
 * @param onFailure called when the service exits on its own
 * @throws DemoFailure when it does not become healthy
 */
export async function startService(
  signal: AbortSignal,
  onFailure: (failure: DemoFailure) => void,
): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-demo-'));
  const child = spawn(process.execPath, [...process.execArgv, require.resolve('../src/main')], {
    env: { ...ownEnvironment(), PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to us alone: we then stop the service, once.
    detached: process.platform !== 'win32',
  });
  const output = new Output(child);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopProcess(child, dataDir));
  child.once('error', (error) => onFailure(new DemoFailure(`The service could not be started: ${error.message}`)));
  child.once('exit', (code, killedBy) => {
    if (stopping !== undefined) return;
    onFailure(new DemoFailure(`The service exited on its own (${killedBy ?? code}). ${output.lastLine}`));
  });
  try {
    return { url: await healthyUrl(output, signal), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_FOR_THE_DEMO.test(name)));
}

async function healthyUrl(output: Output, signal: AbortSignal): Promise<string> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  while (Date.now() < deadline) {
    const url = output.url;
    if (url !== null && (await isHealthy(url))) return url;
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
  throw new DemoFailure(`The service was not ready within ${HEALTHY_WITHIN_MS / 1_000} s. ${output.lastLine}`);
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
class Output {
  private printed = '';
  private complaints = '';

  constructor({ stdout, stderr }: ChildProcess) {
    stdout?.setEncoding('utf8').on('data', (text: string) => (this.printed = last(this.printed + text)));
    stderr?.setEncoding('utf8').on('data', (text: string) => (this.complaints = last(this.complaints + text)));
  }

  /** Null until it listens. */
  get url(): string | null {
    return /listens on (http:\/\/[\w.:]+\d)/.exec(this.printed)?.[1] ?? null;
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
