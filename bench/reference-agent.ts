import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { z } from 'zod';

const printed = z.object({ provider: z.string(), config: z.record(z.string(), z.unknown()) });
export type AgentRegistration = z.infer<typeof printed>;

/** dist/bench is two folders below the examples. */
const FOLDER = resolve(__dirname, '..', '..', 'examples', 'agents');

/** One of the agents that users start to try a provider kind on, in a process of its own. */
export class ReferenceAgent {
  private constructor(
    private readonly process: ChildProcess,
    /** What the service has to be told to find it. */
    readonly registration: AgentRegistration,
  ) {}

  /**
   * @param script below examples/agents; it answers at once, word after word without a pause
   * @throws Error when it ends before it says where it listens
   */
  static async start(script: string): Promise<ReferenceAgent> {
    const child = spawn(process.execPath, [resolve(FOLDER, script)], {
      env: { PATH: process.env['PATH'], WORD_PAUSE_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((heard, failed) => {
      child.stdout.once('data', (text: Buffer) => heard(text.toString()));
      child.once('exit', (code) => failed(new Error(`${script} ended with ${code} before it said where it listens.`)));
    });
    return new ReferenceAgent(child, printed.parse(JSON.parse(line)));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }
}
