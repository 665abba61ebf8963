import { Client } from 'pg';
import { csvLine } from '../../cli/output/csv';
import { osce } from '../setup/osce-command';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { untilEnded } from '../setup/ended-changes';
import { eventually } from '../setup/eventually';
import { createScenarios } from '../setup/examination';
import { storeOldRun } from '../setup/old-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  const api = new ApiClient(service.url);
  ids = await createScenarios(api, 130);
  await api.patch(`/api/v1/scenarios/${ids[0]}`, { name: 'Another name' });
  await api.delete(`/api/v1/scenarios/${ids[1]}`);
  await untilEnded(api, 132);
});
afterAll(() => service.close());

const run = (...args: string[]) => osce(['audit', ...args], { url: service.url });
const recordsOf = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('osce audit shows who changed what, by what is asked for', async () => {
  const shown = await run('--id', ids[0] ?? '');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  for (const text of ['anyone (admin)', 'PATCH', 'POST', ids[0], 'done (200)', 'done (201)', 'category']) {
    expect(shown.stdout).toContain(text);
  }
  expect(await recordsOf('--method', 'DELETE')).toMatchObject({
    total: 1,
    records: [{ route: '/api/v1/scenarios/{id}', resource_ids: [ids[1]], outcome: 'done' }],
  });
  expect((await run('--who', 'nobody')).stdout).toBe('No matching changes.\n');
  expect((await run('--limit', '3')).stdout).toContain('129 more: --limit 132 shows all.');
  expect(await run('--since', 'yesterday')).toMatchObject({ code: 2, stderr: expect.stringContaining('--since') });
});

test('more than a page is read page after page, each record once, newest first', async () => {
  const { records, total } = await recordsOf('--limit', '1000');
  const numbers: number[] = records.map(({ number }: { number: number }) => number);
  expect(total).toBe(132);
  expect(new Set(numbers).size).toBe(132);
  expect([...numbers].sort((a, b) => b - a)).toEqual(numbers);
  expect((await recordsOf('--limit', '120')).records).toHaveLength(120);
});

test('--csv writes a line a record, in whose cells a spreadsheet finds nothing to execute', async () => {
  const sql = new Client({ connectionString: service.database.url });
  await sql.connect();
  await sql.query(`UPDATE audit_records SET who = '=HYPERLINK("http://x.example";"a, b")' WHERE method = 'DELETE'`);
  await sql.end();
  const { code, stdout } = await run('--limit', '500', '--csv');
  const lines = stdout.split('\r\n');
  expect(code).toBe(0);
  expect(lines[0]).toBe(
    'number,at,who,role,address,method,route,resource,resource_ids,fields,outcome,status,replayed,completed_at,request_id',
  );
  expect(lines).toHaveLength(134);
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://x.example"";""a, b"")",`);
  expect(await run('--csv', '--json')).toMatchObject({ code: 2, stderr: expect.stringContaining('--json and --csv') });
});

test('osce audit shows what became of a run that RETENTION_DAYS has deleted, by its label too', async () => {
  const database = await createTestDatabase();
  const { id, label } = await storeOldRun(database, 31);
  const keeping = await startTestService({ RETENTION_DAYS: '30' }, { database });
  const auditOf = async (...args: string[]) => (await osce(['audit', ...args], { url: keeping.url })).stdout;
  await eventually(async () => {
    const shown = await auditOf('--id', label);
    for (const text of ['the service (retention)', 'DELETE RETENTION_DAYS=30', id, 'done (204)']) {
      expect(shown).toContain(text);
    }
  });
  expect(await auditOf('--method', 'DELETE', '--resource', 'tests', '--csv')).toContain(
    `,the service,retention,,DELETE,RETENTION_DAYS=30,tests,${id} ${label},,done,204,false,`,
  );
  await keeping.close();
  await database.drop();
});

test('a cell is text, whatever it begins with', () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\u0000=1', '\r\n=1', '＝1', 'plain', -1, null, true];
  expect(csvLine(cells)).toBe("'=1+1,'+1,'-1,'@SUM(A1),'=1,'=1,'=1,'＝1,plain,-1,,true\r\n");
});
