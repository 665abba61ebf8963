import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { escapeInJson, harmlessDocument, harmlessJson, oneLine, shortened } from '../../cli/output/harmless-text';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { osce, osceInShell, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

/** Clears the screen, sets the title, draws red, links; reverses the direction of writing; a C1 control sequence; a bell. */
const ATTACKS =
  '\u001b[2J\u001b]0;pwned\u0007\u001b[31mred\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\ \u202egnp.exe\u202c \u2066x\u2069 \u009b2J \u0007\b\b\r over\u200b\u{e0041}';
const OBEYED =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

let service: TestService;
let api: ApiClient;
let hostile: FakeAgent;
let slow: FakeAgent;
let runId: string;
let earlierId: string;
const commands: OsceCommand[] = [];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  hostile = await startFakeOpenAi({ reply: () => `${ATTACKS} ${GOOD_REPLY} ${'A'.repeat(200_000)}` });
  slow = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 60_000 });
  for (const [name, agent] of Object.entries({ [`hostile ${ATTACKS}`]: hostile, slow })) {
    await api.patch(`/api/v1/agents/${await createAgent(api, agent.baseUrl)}`, { name });
  }
  await createScenarios(api, 1, {
    name: `Hostile ${ATTACKS} name`,
    category: ATTACKS,
    tags: ['test', ATTACKS],
    rubric_criteria: [CALLS_AMBULANCE, { criterion: `Says ${ATTACKS} hello`, points: 1 }],
  });
  const agents = (await api.get('/api/v1/agents')).body;
  const id = agents.find(({ name }: { name: string }) => name.startsWith('hostile')).id;
  // By another threshold the scenario failed: its name is shown as one that got better.
  const strict = { agent_id: id, name: `Run ${ATTACKS}`, pass_threshold: 100 };
  earlierId = (await api.post('/start-run', strict)).body.id;
  await untilFinal(api, earlierId);
  runId = (await api.post('/start-run', { agent_id: id, name: `Run ${ATTACKS}` })).body.id;
  await untilFinal(api, runId);
});
afterEach(async () => {
  for (const command of commands.splice(0)) await command.kill();
});
afterAll(async () => {
  await service.close();
  await hostile.close();
  await slow.close();
});

function onTerminal(args: readonly string[], columns = 100, environment: Readonly<Record<string, string>> = {}) {
  const command = OsceCommand.onTerminal(args, columns, { url: service.url, environment });
  commands.push(command);
  return command;
}

/** Colours and the end of a line are the command's own; everything else that is left would be somebody else's. */
function obeyedIn(terminal: string): string[] {
  const rest = terminal.replaceAll(/\r+\n/g, '\n').replaceAll(/\u001b\[(1|2|22|3[1-6]|39)m/g, '');
  return Array.from(rest).filter((character) => OBEYED.test(character));
}

describe('hostile text', () => {
  test.each([
    [['runs', 'list']],
    [['runs', 'show', 'latest']],
    [['runs', 'watch', 'latest']],
    [['runs', 'transcript', 'latest', '*']],
    [['compare', 'earlier', 'latest']],
    [['agents', 'list']],
    [['agents', 'show', '*']],
    [['scenarios', 'list']],
    [['scenarios', 'show', '*']],
    [['scenarios', 'export']],
    [['runs', 'show', 'latest', '--json']],
    [['export', 'latest', '--format', 'csv']],
    [['export', 'latest', '--format', 'json']],
    [['export', 'latest', '--format', 'junit']],
  ])('osce %s shows nothing that a terminal obeys', async (args) => {
    const result = await onTerminal(await withIds(args)).ends();
    expect(result.code).toBe(0);
    expect(obeyedIn(result.stdout)).toEqual([]);
  });

  test('the lines of a log are as harmless', async () => {
    const [agent] = await withIds(['agents', '*']).then((args) => args.slice(1));
    const result = await osce(['run', '--agent', agent ?? '', '--watch'], { url: service.url });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('1/1 passed  Hostile') });
    expect(obeyedIn(result.stderr + result.stdout)).toEqual([]);
  });

  test('to a pipe, --json means what the service said, and an export is byte for byte what it sent', async () => {
    const shown = await osce(['runs', 'show', runId, '--json'], { url: service.url });
    expect(JSON.parse(shown.stdout).run.name).toBe(`Run ${ATTACKS}`);
    const sent = await (await fetch(`${service.url}/api/v1/tests/${runId}/export?format=json`)).text();
    expect((await osce(['export', runId], { url: service.url })).stdout).toBe(sent);
  });

  /** `*` stands for what has no name that can be typed. */
  async function withIds(args: readonly string[]): Promise<string[]> {
    const kind = args[0] ?? '';
    const [run] = (await api.get(`/api/v1/scenario-runs?test_run_id=${runId}`)).body.results;
    const [scenario] = (await api.get('/api/v1/scenarios')).body.scenarios;
    const agent = (await api.get('/api/v1/agents')).body.find(({ name }: { name: string }) => name !== 'slow');
    const ids: Readonly<Record<string, string>> = { runs: run.id, scenarios: scenario.scenario_id, agents: agent.id };
    const named: Readonly<Record<string, string | undefined>> = { '*': ids[kind], latest: runId, earlier: earlierId };
    return args.map((arg) => named[arg] ?? arg);
  }

  test('whatever the text is, one line of it has nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(60), (text, width) => {
        expect(oneLine(text)).not.toMatch(OBEYED);
        expect(Array.from(shortened(text, width + 1)).length).toBeLessThanOrEqual(width + 1);
        expect(harmlessDocument(text).replaceAll(/[\n\r\t]/g, '')).not.toMatch(OBEYED);
        expect(JSON.parse(harmlessJson({ text }))).toEqual({ text });
        expect(JSON.parse(escapeInJson(JSON.stringify([text])))).toEqual([text]);
        expect(harmlessJson({ text }).replaceAll('\n', '')).not.toMatch(OBEYED);
      }),
    );
  });
});

test.each([[['export']], [['runs', 'show', '--json']], [['runs', 'watch']]])(
  'a reader that leaves early (osce %s | head) is no failure',
  async (args) => {
    const result = await osceInShell([...args, runId], '| head -c 1', { url: service.url });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.$/) });
    expect(result.stderr).not.toContain('EPIPE');
  },
);

describe('on a terminal', () => {
  test('a failure is red and a success green', async () => {
    const { code, stdout } = await onTerminal(['run', '--agent', 'Demo', '--watch'], 100).ends();
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('\u001b[31mosce:') });
    const watched = await onTerminal(['runs', 'watch', runId, '--fail-under', '0']).ends();
    expect(watched.stdout).toContain('\u001b[32mThe bar of 0 % is reached.');
  });

  test('that a run is complete is neither', async () => {
    const { stdout } = await onTerminal(['runs', 'watch', runId]).ends();
    expect(stdout).toMatch(/^The run is complete\.\r?$/m);
  });

  test.each([40, 72, 100, 160])('%d columns: no line is wider', async (columns) => {
    const { stdout } = await onTerminal(['runs', 'show', runId], columns).ends();
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/);
    const table = lines.filter((line) => /[│┌├└]/.test(line));
    expect(table.filter((line) => line.length > columns)).toEqual([]);
    if (columns >= 72) expect(table.length).toBeGreaterThan(2);
    else expect(stdout).toContain('Verdict');
  });

  test('NO_COLOR and a dumb terminal get no colours', async () => {
    for (const [name, value] of [
      ['NO_COLOR', '1'],
      ['TERM', 'dumb'],
    ] as const) {
      const { stdout } = await onTerminal(['runs', 'show', runId], 100, { [name]: value }).ends();
      expect(stdout).not.toContain('\u001b');
    }
  });

  test('Ctrl-C typed while the bar runs cancels the run; the cursor is shown again', async () => {
    const command = onTerminal(['run', '--agent', 'slow', '--watch']);
    await eventually(() => expect(slow.requests.length).toBeGreaterThan(0));
    await command.writes('\u001b[?25l');
    command.type('\u0003');
    const { code, stdout } = await command.ends();
    expect({ code, stdout }).toMatchObject({ code: 130, stdout: expect.stringContaining('The run was canceled') });
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'));
    expect((await api.get('/api/v1/tests?limit=1')).body.runs[0].status).toBe('canceled');
  });
});
