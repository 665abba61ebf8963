import { entityTag } from '../../src/platform/http/entity-tag';
import { ApiClient } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import type { Role } from '../../contract/operation';

const PATH = '/services/T01AB2CD3/qW3eR5tY7uI9oP1aS2dF4gH6';
const URL = `http://127.0.0.1:9${PATH}`;
const WARNING =
  'config.url seems to hold a secret in its path, which every service key shows, runs keep and replies may repeat: ' +
  'give it in config.headers, or in a query parameter named as one, such as token.';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(keyVariables());
});
afterAll(() => service.close());

const as = (role: Role): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[role] });
const create = (config: object, provider = 'http') =>
  as('admin').post('/api/v1/agents', {
    name: 'a',
    provider,
    config: { body: { text: '{{message}}', id: '{{session_id}}' }, ...config },
  });

describe('an agent whose address seems to hold a secret in its path', () => {
  it('is stored with a warning to who may mend it, until it is mended', async () => {
    const made = await create({ url: URL });
    expect(made).toMatchObject({ status: 201, body: { warnings: [WARNING] } });
    const path = `/api/v1/agents/${made.body.id}`;
    expect((await as('admin').get(path)).body.warnings).toEqual([WARNING]);
    for (const role of ['viewer', 'runner'] as const) expect((await as(role).get(path)).body.warnings).toEqual([]);
    const config = { url: 'http://127.0.0.1:9/services?token=qW3eR5tY7uI9oP1aS2dF4gH6' };
    expect((await as('admin').patch(path, { config })).body.warnings).toEqual([]);
  });

  it('is warned of nowhere else: other kinds have no other place for theirs, or ids in it', async () => {
    expect((await create({ base_url: URL }, 'openai')).body.warnings).toEqual([]);
    expect((await create({ url: 7 })).body.warnings).toEqual([]);
    expect((await create({})).body.warnings).toEqual([]);
  });

  it('has the tag that it would have without the warning: an older process beside this one knows none', async () => {
    const { body, headers } = await create({ url: URL });
    const etag = headers.get('etag') ?? '';
    expect((await as('viewer').get(`/api/v1/agents/${body.id}`)).headers.get('etag')).toBe(etag);
    const { warnings: _, ...older } = body;
    expect(etag).toBe(entityTag(older));
  });

  it('is warned of by the command', async () => {
    const args = ['agents', 'create', '--name', 'c', '--provider', 'http', '--config', `url=${URL}?s={{session_id}}`];
    const { code, stderr } = await osce(args, { url: service.url, key: KEYS.admin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Warning: ${WARNING}\n` });
    const shown = await osce(['agents', 'show', 'c'], { url: service.url, key: KEYS.admin });
    expect(shown.stderr).toBe(`Warning: ${WARNING}\n`);
  });
});
