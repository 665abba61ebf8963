import { Database } from '../../src/platform/database/database';
import { eventually } from '../setup/eventually';
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
  expect(await run('revoke', 'ci')).toMatchObject({ code: 2, stderr: 'osce: The key "ci" is revoked already.\n' });
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
  expect(await run('create', 'ci', '--role', 'viewer', '--expires', '3651d')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected 1 to 3650 days'),
  });
  expect(await run('create', 'ci')).toMatchObject({ code: 2, stderr: expect.stringContaining('--role') });
  expect(await run('revoke', 'nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('osce keys list') });
});

test('a key that has expired is told so, in the words of the service', async () => {
  const { key } = JSON.parse((await run('create', 'short', '--role', 'viewer', '--expires', '1d', '--json')).stdout);
  await service.app.get(Database).query(`UPDATE service_keys SET expires_at = now() WHERE name = 'short'`);
  await eventually(async () =>
    expect(await osce(['--key', key, 'runs', 'list'], { url: service.url })).toMatchObject({
      code: 2,
      stderr: 'osce: Refused (401): The key "short" has expired: an admin makes another with osce keys create.\n',
    }),
  );
});
