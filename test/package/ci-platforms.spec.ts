import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { EmptyPlace, ROOT, Running, type Ended, type Packed } from '../setup/packed';
import { packedPackages } from '../setup/packed-packages';

const step = z.object({
  id: z.string().optional(),
  uses: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
});
const action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional(), required: z.boolean().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
});
const template = z.object({ '.agent-osce': z.object({ script: z.array(z.string()) }) });

let place: EmptyPlace;
let whole: Packed;
let alone: Packed;
let environment: Record<string, string>;
let actionFile: z.infer<typeof action>;

beforeAll(async () => {
  place = await EmptyPlace.make();
  environment = await place.environment();
  ({ whole, alone } = await packedPackages());
  actionFile = action.parse(parse(await readFile(join(ROOT, 'action.yml'), 'utf8')));
});
afterAll(() => place.remove());

interface ActionResult {
  readonly last: Ended;
  readonly outputs: Record<string, string>;
  readonly summary: string;
}

let calls = 0;

/** What GitHub's runner does with the steps that are scripts: inputs and outputs put in, a file for the outputs of each. */
async function runAction(inputs: Record<string, string>, temp = 'temp'): Promise<ActionResult> {
  const call = join(place.folder, `call-${(calls += 1)}`);
  const summary = `${call}-summary.md`;
  await writeFile(summary, '');
  const values: Record<string, string> = { 'github.sha': '0123abcd' };
  for (const [name, { default: usual = '' }] of Object.entries(actionFile.inputs)) values[`inputs.${name}`] = usual;
  for (const [name, value] of Object.entries(inputs)) values[`inputs.${name}`] = value;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => filled(values[name] ?? ''));
  let last: Ended = { code: null, stdout: '', stderr: '' };
  for (const { id = '', run, env } of actionFile.runs.steps) {
    if (run === undefined) continue;
    const output = `${call}-${id}`;
    await writeFile(output, '');
    last = await Running.start(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', run], place.work, {
      ...environment,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
      RUNNER_TEMP: join(place.folder, temp),
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    }).ends();
    for (const line of (await readFile(output, 'utf8')).split('\n').filter((one) => one !== '')) {
      const [name = '', ...value] = line.split('=');
      values[`steps.${id}.outputs.${name}`] = value.join('=');
    }
    if (last.code !== 0) break;
  }
  const outputs = Object.entries(actionFile.outputs).map(([name, { value }]) => [name, filled(value)]);
  return { last, outputs: Object.fromEntries(outputs), summary: await readFile(summary, 'utf8') };
}

describe('action.yml', () => {
  it('installs the package, examines with a service of its own, and leaves outputs, a summary and a report', async () => {
    const { last, outputs, summary } = await runAction({
      agent: 'Demo clinic agent',
      tags: 'emergency\nmental_health',
      'fail-under': '20',
      package: whole.tarball,
    });
    expect(last).toMatchObject({ code: 0 });
    expect(outputs).toEqual({
      'run-id': expect.stringMatching(/^run_\w+$/),
      'pass-rate': expect.stringMatching(/^\d+(\.\d+)?$/),
      verdict: 'passed',
    });
    expect(summary).toMatch(/^## ✅ Passed: Demo clinic agent\n/);
    expect(summary).toMatch(/\(95 % interval \d+(\.\d)? to \d+(\.\d)? %, coverage 100 %\)/);
    expect(summary).toMatch(/^\| passed \| Crushing chest pain/m);
    const report = join(place.work, 'osce-report');
    expect(await readFile(join(report, 'junit.xml'), 'utf8')).toContain('<testsuites name="Agent OSCE"');
    const result: unknown = JSON.parse(await readFile(join(report, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ run: { agent_version: '0123abcd' } });
    expect(existsSync(join(report, 'export.json'))).toBe(true);
  });
});

describe('a service that runs elsewhere', () => {
  let service: Running;
  let url: string;

  beforeAll(async () => {
    const osce = join(place.folder, 'temp', 'agent-osce', 'bin', 'osce');
    service = Running.start([osce, 'serve', '--port', '0'], place.folder, {
      ...environment,
      SERVICE_API_KEY: 'key-of-the-service-for-ci',
    });
    url = await service.prints(/listens on (http:\/\/[\w.:]+\d);/);
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.ends();
  });

  it('is reached by the action, whose run becomes the baseline that the next one is compared with by the name of its agent', async () => {
    const inputs = {
      agent: 'Demo clinic agent',
      tags: 'emergency',
      url,
      'api-key': 'key-of-the-service-for-ci',
      package: alone.tarball,
    };
    const first = await runAction({ ...inputs, 'set-baseline': 'true' }, 'temp-alone');
    expect(first.last).toMatchObject({ code: 0 });
    const second = await runAction(
      { ...inputs, 'baseline-agent': 'Demo clinic agent', 'fail-on': 'violation' },
      'temp-alone',
    );
    expect(second.outputs).toMatchObject({ verdict: expect.stringMatching(/^(passed|undecided)$/) });
    expect(second.summary).toContain(
      `### Compared with Demo clinic agent, ${first.outputs['run-id']?.replaceAll('_', '\\_')}`,
    );
  });

  it('is reached by the action, which fails below the bar', async () => {
    const { last, outputs, summary } = await runAction(
      {
        agent: 'Demo clinic agent',
        tags: 'medication_safety',
        'fail-under': '85',
        url,
        'api-key': 'key-of-the-service-for-ci',
        package: alone.tarball,
      },
      'temp-alone',
    );
    expect({ code: last.code, verdict: outputs['verdict'] }).toEqual({ code: 1, verdict: 'below_bar' });
    expect(summary).toMatch(/^## ❌ Below the bar/);
  });

  it('is reached by the script of the GitLab template', async () => {
    const { '.agent-osce': job } = template.parse(parse(await readFile(join(ROOT, 'ci', 'gitlab.yml'), 'utf8')));
    const script = (more: Record<string, string>) =>
      Running.start(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', job.script.join('\n')], place.work, {
        ...environment,
        CI_PROJECT_DIR: place.work,
        OSCE_URL: url,
        OSCE_API_KEY: 'key-of-the-service-for-ci',
        OSCE_AGENT: 'Demo clinic agent',
        OSCE_TAGS: 'emergency',
        OSCE_REPORT: 'osce-report',
        ...more,
      }).ends();
    expect(await script({ OSCE_PACKAGE: alone.tarball })).toMatchObject({ code: 0 });
    expect(await readFile(join(place.work, 'osce-report', 'outputs.env'), 'utf8')).toMatch(
      /^OSCE_RUN_ID=run_\w+\nOSCE_PASS_RATE=\d+(\.\d+)?\nOSCE_VERDICT=passed\n$/,
    );
    expect(await script({})).toMatchObject({ code: 2, stdout: expect.stringContaining('OSCE_PACKAGE is not set') });
  });
});
