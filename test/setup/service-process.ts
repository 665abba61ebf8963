import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programCommand } from './program-command';

export interface ServiceProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it printed so far. */
  output(): string;
  /** Sends the signal and resolves with the exit code once the process is gone; null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Of one that hangs: a busy machine takes its time to start one. */
const HEALTHY_WITHIN_MS = 110_000;

const ROOT = join(__dirname, '..', '..');

/** Starts the service as a process of its own, from its sources or their bundle, with nothing of this environment but PATH. */
export function spawnService(variables: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, programCommand('main', variables), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A service process that answers /health. */
export async function startServiceProcess(variables: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const port = await freePort();
  const child = spawnService({ PORT: String(port), ...variables });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url, child, () => output).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    process: child,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      await once(child, 'exit');
      return child.exitCode;
    },
  };
}

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}: ${output()}`);
    try {
      const answer = await fetch(`${url}/health`);
      // What is not read may keep the connection.
      await answer.text();
      if (answer.status === 200) return;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) throw new Error(`The service is not healthy in time: ${output()}`);
    await sleep(50);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
