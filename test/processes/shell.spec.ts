import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { osce, osceCommandLine } from '../setup/osce-command';
import { freePort } from '../setup/service-process';
import { startTestService, type TestService } from '../setup/service';

const execute = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A program of this name, first in PATH. */
async function program(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}
/** What a desktop shows an address with, on Linux and on macOS. */
async function desktop(script: string): Promise<void> {
  for (const name of ['xdg-open', 'open']) await program(name, script);
}
const path = () => `${folder}:${process.env['PATH'] ?? ''}`;

describe('osce completion', () => {
  const complete = async (...words: string[]) => {
    const { stdout } = await osce(['complete', '--', ...words]);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
  };

  test('offers commands, those below them, options, and the values of an option', async () => {
    expect(await complete('comp')).toEqual(['compare', 'completion']);
    expect(await complete('')).toEqual(expect.arrayContaining(['run', 'runs', 'open', 'mcp', 'help']));
    expect(await complete('')).not.toContain('complete');
    expect(await complete('scenarios', 'a')).toEqual(['approve']);
    expect(await complete('run', '--agent', 'Some agent', '--fail-')).toEqual(['--fail-under', '--fail-on']);
    expect(await complete('--json', 'runs', 'watch', '--ur')).toEqual(['--url']);
    expect(await complete('run', '--fail-on', 'cr')).toEqual(['critical']);
    expect(await complete('export', 'latest', '-f', '')).toEqual(['csv', 'json', 'junit']);
    expect(await complete('completion', '')).toEqual([]);
  });

  test('offers nothing where only its user knows, so that the shell offers files', async () => {
    expect(await complete('run', '--junit', '')).toEqual([]);
    expect(await complete('import', 'scenario')).toEqual([]);
  });

  test('in bash: a Tab completes', async () => {
    const line = osceCommandLine(['"$@"']).join(' ');
    await program('osce', `exec ${line}`);
    const script = `source <(osce completion bash); COMP_WORDS=(osce runs wa); COMP_CWORD=2; _osce_completion; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_WORDS=(osce run --fail-on ""); COMP_CWORD=3; _osce_completion; printf '%s ' "\${COMPREPLY[@]}"; complete -p osce`;
    const { stdout } = await execute('bash', ['--norc', '--noprofile', '-c', script], { env: { PATH: path() } });
    expect(stdout).toBe(
      'watch\nmust-pass critical high worse violation complete -o default -F _osce_completion osce\n',
    );
  });

  test.each([
    ['zsh', '#compdef osce'],
    ['fish', "complete -c osce -f -a '(__osce_complete)'"],
  ])('for %s there is a script that asks osce', async (shell, line) => {
    const { code, stdout } = await osce(['completion', shell]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(line) });
    expect(stdout).toContain('osce complete -- ');
  });

  test('2: a shell that it does not know', async () => {
    expect(await osce(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});

describe('a command starts without what only others need', () => {
  const PACKAGES = ['@modelcontextprotocol/server', 'yaml', 'ajv'];

  /** Which of those packages a command has loaded by its end. */
  async function loadedBy(args: readonly string[], cwd: string): Promise<string[]> {
    const list = join(folder, 'loaded.json');
    const watch = join(folder, 'watch.cjs');
    await writeFile(
      watch,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
    );
    await osce(args, { cwd, environment: { NODE_OPTIONS: `--require ${watch}` } });
    const modules: string[] = JSON.parse(await readFile(list, 'utf8'));
    return PACKAGES.filter((name) => modules.some((file) => file.includes(`/node_modules/${name}/`)));
  }

  test('the protocol of assistants by osce mcp only, YAML in a folder with settings only', async () => {
    expect(await loadedBy(['config'], folder)).toEqual([]);
    expect(await loadedBy(['mcp'], folder)).toEqual(['@modelcontextprotocol/server']);
    await writeFile(join(folder, '.osce.yaml'), 'agent: Triage agent');
    expect(await loadedBy(['config'], folder)).toEqual(['yaml']);
    await rm(join(folder, '.osce.yaml'));
  });

  test('a list of runs without the checks of labels and scenarios, wherever its options stand', async () => {
    expect(await loadedBy(['scenarios', 'lint', folder], folder)).toContain('ajv');
    expect(await loadedBy(['runs', 'list'], folder)).not.toContain('ajv');
    expect(await loadedBy(['--url', 'http://127.0.0.1:9', '--json', 'agents', 'list'], folder)).toEqual([]);
  });
});

describe('osce open', () => {
  let service: TestService;
  let runId: string;
  const run = (...args: string[]) => osce(['open', ...args], { url: service.url, environment: { PATH: path() } });
  beforeAll(async () => {
    service = await startTestService();
    const api = new ApiClient(service.url);
    const agent_id = await createAgent(api, 'http://127.0.0.1:9/v1');
    const scenario_ids = await createScenarios(api, 1);
    runId = (await api.post('/start-run', { agent_id, scenario_ids })).body.id;
  });
  afterAll(() => service.close());

  test('prints the address and hands it to the desktop', async () => {
    await desktop(`printf '%s' "$1" > '${join(folder, 'opened')}'`);
    const opened = () => readFile(join(folder, 'opened'), 'utf8');
    expect(await run()).toEqual({ code: 0, stdout: `${service.url}/\n`, stderr: '' });
    await eventually(async () => expect(await opened()).toBe(`${service.url}/`));
    expect(await run('latest')).toEqual({ code: 0, stdout: `${service.url}/runs/${runId}\n`, stderr: '' });
    await eventually(async () => expect(await opened()).toBe(`${service.url}/runs/${runId}`));
  });

  test('says so where there is no browser; --print looks for none', async () => {
    await desktop('exit 3');
    expect(await run()).toEqual({
      code: 0,
      stdout: `${service.url}/\n`,
      stderr: 'No browser could be started here: open the address in one.\n',
    });
    expect(await run('latest', '--print')).toEqual({ code: 0, stdout: `${service.url}/runs/${runId}\n`, stderr: '' });
  });

  test('2: a service that is not there, with how to start it; a run that does not exist', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await osce(['open', '--print'], { url })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('nothing is listening there. Start it with osce serve (npm start in a checkout)'),
    });
    expect(await run('run_of_nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Test run not found'),
    });
  });
});
