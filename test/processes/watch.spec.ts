import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';
import { startTcpProxy, type TcpProxy } from '../setup/tcp-proxy';

/** Of a conversation here. */
const TURNS = 6;

/** Lets answers through, all or so many; the others wait until it is opened. */
class Turnstile {
  private left = Infinity;
  private readonly waiting: (() => void)[] = [];

  closeAfter(answers: number): void {
    this.left = answers;
  }

  pass(): Promise<void> {
    this.left -= 1;
    return this.left >= 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  open(): void {
    this.left = Infinity;
    for (const goOn of this.waiting.splice(0)) goOn();
  }
}

let database: TestDatabase;
let service: TestService;
let proxy: TcpProxy;
let agent: FakeAgent;
let api: ApiClient;
// What happens in the middle of a run happens after its first conversation, before its second: on any machine.
const answers = new Turnstile();
const commands: OsceCommand[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({}, { database });
  proxy = await startTcpProxy(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, mayAnswer: () => answers.pass() });
  api = new ApiClient(service.url);
  await api.patch(`/api/v1/agents/${await createAgent(api, agent.baseUrl)}`, { name: 'agent' });
  await createScenarios(api, 4);
});
beforeEach(() => answers.closeAfter(TURNS));
afterEach(async () => {
  for (const command of commands.splice(0)) await command.kill();
  await proxy.restore();
  answers.open();
  // None goes on into the next test, and takes its answers.
  for (const { id, status } of (await api.get('/api/v1/tests')).body.runs) {
    if (status === 'running') expect(await api.post('/cancel-run', { id })).toMatchObject({ status: 200 });
  }
});
afterAll(async () => {
  await proxy.close();
  await service.close();
  await agent.close();
  await database.drop();
});

function start(args: readonly string[], url = proxy.url.replace(/\/$/, '')): OsceCommand {
  const command = OsceCommand.start(args, { url });
  commands.push(command);
  return command;
}

const RUN = ['run', '--agent', 'agent', '--watch', '--concurrency', '1'];

/** The lines of scenarios that ended, in the order they were written. */
const ended = ({ stderr }: { readonly stderr: string }) => stderr.match(/^\d\/4 passed {2}Scenario \d+/gm) ?? [];
const EACH_ONCE = [1, 2, 3, 4].map((n) => expect.stringMatching(new RegExp(`^${n}/4 passed`)));

describe('watching a run', () => {
  test('goes on after the connection was cut: each scenario ends once, in order', async () => {
    const command = start(RUN);
    await command.writes('1/4 passed');
    proxy.cut();
    await command.writes('Waiting for the service.');
    await proxy.restore();
    await command.writes('Reconnected.');
    answers.open();
    const result = await command.ends();
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('4 passed, 0 failed of 4') });
    expect(ended(result)).toEqual(EACH_ONCE);
  });

  test('survives a restart of the service, on the same address', async () => {
    const command = start(RUN);
    await command.writes('1/4 passed');
    const { port } = new URL(service.url);
    await service.close();
    await command.writes('Waiting for the service.');
    service = await startTestService({ PORT: port }, { database });
    answers.open();
    const result = await command.ends();
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('4 passed, 0 failed of 4') });
    expect(ended(result)).toEqual(EACH_ONCE);
  });

  test('gives up when the service stays away for longer than --patience; exit code 2', async () => {
    const command = start([...RUN, '--patience', '0.5']);
    await command.writes('1/4 passed');
    proxy.cut();
    const result = await command.ends();
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Gave up after 1 s without the service.'),
    });
    expect(result.stderr).toMatch(/The run may continue\. Check with: osce runs show run_/);
  });

  test('a run that another process executes is watched like any other', async () => {
    const other = await startTestService({}, { database });
    try {
      answers.closeAfter(0);
      const { stdout } = await osce(['run', '--agent', 'agent', '--concurrency', '1'], { url: service.url });
      const command = start(['runs', 'watch', stdout.trim(), '--fail-under', '100'], other.url);
      await command.writes('Watching ');
      answers.open();
      const watching = await command.ends();
      expect(watching).toMatchObject({ code: 0, stdout: expect.stringContaining('The bar of 100 % is reached.') });
      expect(ended(watching)).toEqual(EACH_ONCE);
    } finally {
      await other.close();
    }
  });

  test('Ctrl-C leaves a run alone that the command only watches', async () => {
    const { stdout } = await osce(['run', '--agent', 'agent', '--concurrency', '1'], { url: service.url });
    const command = start(['runs', 'watch', 'latest']);
    await command.writes('1/4 passed');
    command.child.kill('SIGINT');
    expect(await command.ends()).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('The run continues; cancel it'),
    });
    const run = (await api.get(`/api/v1/tests/${stdout.trim()}`)).body;
    expect(run.status).toBe('running');
    expect(await osce(['runs', 'cancel', 'latest'], { url: service.url })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Canceled; \d scenarios were not finished\.\n$/),
    });
  });

  test('a run that is deleted meanwhile: exit code 2', async () => {
    const command = start(RUN);
    await command.writes('1/4 passed');
    await eventually(async () => expect((await osce(['runs', 'delete', 'latest'], { url: service.url })).code).toBe(0));
    expect(await command.ends()).toMatchObject({ code: 2, stderr: expect.stringMatching(/not found|canceled/i) });
  });

  test('the second Ctrl-C leaves at once, although the service does not answer', async () => {
    const command = start(RUN);
    await command.writes('1/4 passed');
    proxy.drop();
    command.child.kill('SIGINT');
    await command.writes('press again to exit at once');
    command.child.kill('SIGINT');
    expect((await command.ends()).code).toBe(130);
  });
});
