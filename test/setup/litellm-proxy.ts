import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = join(__dirname, '..', '..', 'artifacts', 'model-peers', 'bin', 'litellm');
const START_WITHIN_MS = 150_000;
const LOOK_EVERY_MS = 250;

export interface LiteLlmModel {
  /** As clients call it. */
  readonly name: string;
  /** Where the model behind it is. */
  readonly baseUrl: string;
}

/** LiteLLM's proxy on loopback: a server that many teams have their models behind. */
export class LiteLlmProxy {
  private constructor(
    /** For EXAMINER_BASE_URL. */
    readonly url: string,
    readonly key: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @throws Error when it is not installed, or does not start */
  static async start(models: readonly LiteLlmModel[]): Promise<LiteLlmProxy> {
    if (!existsSync(PROGRAM)) throw new Error('The proxy is missing: scripts/install-model-peers.sh installs it.');
    const folder = await mkdtemp(join(tmpdir(), 'agent-osce-litellm-'));
    const key = 'sk-litellm-examiner';
    const config = join(folder, 'config.json');
    // YAML holds JSON.
    await writeFile(config, JSON.stringify(configOf(models, key)));
    const port = await freePort();
    const child = spawn(PROGRAM, ['--config', config, '--host', '127.0.0.1', '--port', String(port)], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        // Nothing leaves this machine.
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_TELEMETRY: 'False',
        NO_PROXY: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const keep = (chunk: Buffer): void => void (printed = `${printed}${chunk.toString()}`.slice(-8_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const origin = `http://127.0.0.1:${port}`;
    const proxy = new LiteLlmProxy(`${origin}/v1`, key, child, folder);
    const deadline = performance.now() + START_WITHIN_MS;
    while (!(await answers(`${origin}/health/liveliness`))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        await proxy.close();
        throw new Error(`The proxy does not start: ${printed}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
    return proxy;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

function configOf(models: readonly LiteLlmModel[], key: string): object {
  return {
    model_list: models.map(({ name, baseUrl }) => ({
      model_name: name,
      litellm_params: { model: `openai/${name}`, api_base: baseUrl, api_key: 'sk-behind-the-proxy' },
    })),
    general_settings: { master_key: key },
    litellm_settings: { telemetry: false, num_retries: 0 },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
