import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { status } from '../fakes/misbehaviour';
import { eventually } from '../setup/eventually';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

// A command is a process of its own, and there are a dozen of them.
let service: TestService;
let receiver: HttpStub;
beforeAll(async () => {
  service = await startTestService();
  receiver = await startHttpStub((response) => response.writeHead(204).end());
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const run = (...args: string[]) => osce(['webhooks', ...args], { url: service.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('osce webhooks: add, list, test, look and remove; the secret is printed once', async () => {
  expect(await run('list')).toMatchObject({ code: 0, stdout: 'There are no webhooks yet: osce webhooks add --help\n' });
  const added = await run('add', receiver.origin, '--event', 'test_run.finished', '--description', 'CI');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const secret = /whsec_\S{44}/.exec(added.stdout)?.[0] ?? 'none';
  expect(added.stdout).toContain('Keep the secret: it is not shown again.');
  const { stdout } = await run('list');
  expect(stdout).toContain(receiver.origin);
  expect(stdout).toContain('test_run.finished');
  expect(stdout).not.toContain(secret);
  expect(JSON.stringify(await json('list'))).not.toContain(secret);

  expect((await run('deliveries', receiver.origin)).stdout).toBe('Nothing was sent yet: osce webhooks test --help\n');
  receiver.next(status(500, { message: 'No.\u001b[31m' }));
  expect((await run('test', receiver.origin)).code).toBe(0);
  await eventually(async () => {
    expect((await json('deliveries', receiver.origin)).deliveries).toMatchObject([{ last_status_code: 500 }]);
  });
  const shown = (await run('deliveries', receiver.origin)).stdout;
  expect(shown).toContain('webhook.test');
  expect(shown).not.toContain('\u001b');

  const [{ id }] = (await json('list')).webhooks as [{ id: string }];
  expect(await json('remove', id)).toEqual({ deleted: id });
  expect(await run('remove', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('osce webhooks list') });
});

test('an event that does not exist and an address that may not be are refused in the service’s words', async () => {
  expect(await run('add', receiver.origin, '--event', 'nothing')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/events\[0\]|events\.0/),
  });
  expect(await run('add', 'http://169.254.169.254/')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('link-local'),
  });
});
