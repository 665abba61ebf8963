import { keyVariables, KEYS } from '../setup/role-keys';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(keyVariables());
});
afterAll(() => service.close());

const run = (...args: string[]) => osce(['--key', KEYS.admin, 'keys', ...args], { url: service.url });

test('osce keys: create, list, use and revoke; the key is printed once', async () => {
  expect(await run('list')).toMatchObject({
    code: 0,
    stdout: 'There are no named keys yet: osce keys create --help\n',
  });
  const created = await run('create', 'ci', '--role', 'runner', '--expires', '90d');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const key = /osce_[\w-]{43}/.exec(created.stdout)?.[0] ?? 'none';
  expect(created.stdout).toContain('Keep the key: it is not shown again.');
  const { stdout } = await run('list');
  expect(stdout).toContain('ci');
  expect(stdout).toContain(key.slice(0, 9));
  expect(stdout).not.toContain(key);
  const use = () => osce(['--key', key, 'runs', 'list'], { url: service.url });
  expect(await use()).toMatchObject({ code: 0 });
  expect(await run('revoke', 'ci')).toMatchObject({ code: 0, stdout: expect.stringContaining('ci') });
  expect(await use()).toMatchObject({ code: 2, stderr: expect.stringContaining('osce keys list') });
  expect(JSON.parse((await run('list', '--json')).stdout).keys).toMatchObject([{ name: 'ci', state: 'revoked' }]);
});

test('a role that does not exist and a time that is none are refused before the service is asked', async () => {
  expect(await run('create', 'ci', '--role', 'owner')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('viewer'),
  });
  expect(await run('create', 'ci', '--role', 'viewer', '--expires', '2027')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('such as 90d'),
  });
  expect(await run('create', 'ci')).toMatchObject({ code: 2, stderr: expect.stringContaining('--role') });
  expect(await run('revoke', 'nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('osce keys list') });
});
