import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasLiveKitServer, INSTALL_HINT, type LiveKitServer } from './livekit-server';

const ROOT = join(__dirname, '..', '..');
/** Of the virtual environment with the frameworks. */
export const PYTHON = join(ROOT, 'artifacts', 'voice-peers', 'bin', 'python');

/** Nobody runs the voice suites by accident: what they need must be there. */
export function requireVoicePeers(): void {
  if (!hasLiveKitServer() || !existsSync(PYTHON)) throw new Error(`Real voice agents are missing: ${INSTALL_HINT}.`);
}

/** A program in Python, started in the environment that has the frameworks. */
export class PythonAgent {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    const keep = (chunk: Buffer): void => {
      this.output = `${this.output}${chunk.toString()}`.slice(-100_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /**
   * @param program from the repository's root
   * @param readyWhen its output holds this once it can be used
   */
  static async start(
    program: string,
    programArguments: readonly string[],
    env: Readonly<Record<string, string>>,
    readyWhen: string,
  ): Promise<PythonAgent> {
    const child = spawn(PYTHON, [join(ROOT, program), ...programArguments], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const agent = new PythonAgent(child);
    try {
      await agent.says(readyWhen);
      return agent;
    } catch (error) {
      await agent.close();
      throw error;
    }
  }

  /** The end of what it wrote, for a failure that only its own log explains. */
  get log(): string {
    return this.output.slice(-8_000);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * LiveKit's native library ends the process of its program when that gave no answer for five seconds while it joined a room, as
   * on a machine that stood still.
   */
  get panicked(): boolean {
    return this.output.includes('FFI Panic');
  }

  /** Fails at once, with the agent's own log, when the agent ends before the work does. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let end = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      end = () => reject(new Error(`The agent ended in the middle: ${this.log}`));
      if (this.hasEnded) end();
      else this.child.once('exit', end);
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      this.child.off('exit', end);
    }
  }

  /** As a crash would. Idempotent. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private says(words: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`The Python agent does not start: ${this.output}`));
      const timer = setTimeout(fail, 120_000);
      const look = (): void => {
        if (!this.output.includes(words)) return;
        clearTimeout(timer);
        resolve();
      };
      this.child.stdout?.on('data', look);
      this.child.stderr?.on('data', look);
      this.child.once('exit', fail);
    });
  }
}

/** A LiveKit agent (by default the example's), registered at a LiveKit server and thinking with a model. */
export function startLiveKitTextAgent(
  livekit: LiveKitServer,
  modelBaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  program = 'examples/agents/livekit-text-agent/agent.py',
): Promise<PythonAgent> {
  return PythonAgent.start(
    program,
    ['start'],
    {
      LIVEKIT_URL: livekit.url,
      LIVEKIT_API_KEY: livekit.apiKey,
      LIVEKIT_API_SECRET: livekit.apiSecret,
      LLM_BASE_URL: modelBaseUrl,
      ...env,
    },
    'registered worker',
  );
}
