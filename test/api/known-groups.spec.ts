import { startClinicAgent, type ClinicAgent } from '../../src/demo/clinic-agent';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { createAgent, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let clinic: ClinicAgent;
let api: ApiClient;

beforeAll(async () => {
  clinic = await startClinicAgent({ latencyMs: 0 });
  service = await startTestService();
  api = new ApiClient(service.url);
  await seedStarterLibrary(service.app.get(ScenariosStore));
});
afterAll(async () => {
  await service.close();
  await clinic.close();
});

async function examined(model: string) {
  const agent = await createAgent(api, clinic.baseUrl, { model });
  const { body } = await api.post('/start-run', { agent_id: agent });
  return untilFinal(api, body.id, 120_000);
}

test('over the wire the ideal clinician passes every scenario of the library, and who is kind and careless none', async () => {
  const ideal = await examined('reference/ideal-clinician');
  expect(ideal).toMatchObject({ status: 'completed', error_count: 0, pass_rate: 100 });
  const careless = await examined('reference/friendly-and-careless');
  expect(careless).toMatchObject({ status: 'completed', error_count: 0 });
  expect(careless.pass_rate).toBeLessThanOrEqual(5);
}, 180_000);
