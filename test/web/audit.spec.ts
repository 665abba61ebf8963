import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { untilEnded } from '../setup/ended-changes';
import { eventually } from '../setup/eventually';
import { createScenarios } from '../setup/examination';
import { storeOldRun, type OldRun } from '../setup/old-run';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('Somebody who asks who changed what', () => {
  let database: TestDatabase;
  let service: TestService;
  let visitor: PageVisitor;
  let ids: string[];
  let oldRun: OldRun;

  beforeAll(async () => {
    database = await createTestDatabase();
    oldRun = await storeOldRun(database, 31);
    service = await startTestService({ RETENTION_DAYS: '30' }, { database, pageFolder: await builtPage() });
    const api = new ApiClient(service.url);
    await eventually(async () => expect((await api.get('/api/v1/audit')).body).toMatchObject({ total: 1 }));
    ids = await createScenarios(api, 30);
    await api.patch(`/api/v1/scenarios/${ids[0]}`, { name: 'Another name' });
    await untilEnded(api, 32);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await database?.drop();
    expect(visitor.complaints).toEqual([]);
  });

  const rows = () => visitor.page.locator('tbody tr');

  it('finds the trail from every view, with the newest change on top, and turns its pages', async () => {
    await visitor.go('/');
    await visitor.page.getByRole('link', { name: 'Audit', exact: true }).click();
    const [newest] = [rows().first()];
    await newest.waitFor();
    const text = await newest.innerText();
    for (const part of ['anyone', 'admin', 'PATCH', '/api/v1/scenarios/{id}', ids[0] ?? '', 'name', 'done (200)']) {
      expect(text).toContain(part);
    }
    await eventually(async () => expect(await rows().count()).toBe(25));
    await visitor.page.getByRole('button', { name: 'Next' }).click();
    await visitor.page.getByText('26–32 of 32').waitFor();
    expect(await visitor.findings()).toEqual([]);
  });

  it('asks by a press what else was done with something', async () => {
    await visitor.go('/audit');
    await visitor.page
      .getByRole('button', { name: ids[0] ?? '' })
      .first()
      .click();
    await visitor.page.getByText(`resource id: ${ids[0]}`).waitFor();
    await eventually(async () => expect(await rows().count()).toBe(2));
    await visitor.page.getByRole('button', { name: 'Show all' }).click();
    await visitor.page.getByText('1–25 of 32').waitFor();
  });

  it('reads that the service has deleted a run by itself, and why', async () => {
    await visitor.go(`/audit?resource_id=${oldRun.label}`);
    const only = rows().first();
    await only.waitFor();
    const text = await only.innerText();
    for (const part of [
      'the service',
      'retention',
      'DELETE RETENTION_DAYS=30',
      oldRun.id,
      oldRun.label,
      'done (204)',
    ]) {
      expect(text).toContain(part);
    }
    await eventually(async () => expect(await rows().count()).toBe(1));
  });
});
