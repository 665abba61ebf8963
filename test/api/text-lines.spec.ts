import { Database } from '../../src/platform/database/database';
import { TextThreads } from '../../src/examiners/threads/text-threads';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { aReview, conversationsOf, storeTurns } from '../setup/reviewed-runs';
import { transcriptOf } from '../setup/transcripts';
import { startTestService, type TestService } from '../setup/service';

/** As many of one key may wait for threads that read texts. */
const LINE = 100;
const KEYS = { busy: 'key-of-the-busy-one-0123456789', other: 'key-of-the-other-one-0123456789' };
const REPLY = `Please call an ambulance now. ${'Rest meanwhile. '.repeat(2_000)}`;
const TEXT = `# Chest pain\nThe nurse must tell the caller to call an ambulance.\n${'Callers ask this and that.\n'.repeat(1_200)}`;

let service: TestService;
let conversations: readonly string[] = [];
beforeAll(async () => {
  service = await startTestService({ SERVICE_API_KEY: `busy:${KEYS.busy},other:${KEYS.other}` });
  const database = service.app.get(Database);
  const [scenario = ''] = await storeScenarios(database, ['Chest pain']);
  const criteria = () => [{ criterion: 'Sends for an ambulance', tags: [], decision: 'NOT MET', max_points: 5 }];
  const outcomes = Array.from({ length: 2 }, () => 'failed');
  const run = await storeGradedRun(database, [{ id: scenario, name: 'Chest pain', outcomes }], { criteria });
  await storeTurns(database, run, [['My chest hurts.', REPLY]]);
  conversations = await conversationsOf(database, run);
});
afterAll(() => service.close());

const as = (name: keyof typeof KEYS): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[name] });

const review = (name: keyof typeof KEYS, conversation: number): Promise<Answer> => {
  const evidence = [{ turn: 1, quote: 'Please call an ambulance now.' }];
  const criteria = [{ index: 0, decision: 'MET', evidence }];
  const path = `/api/v1/scenario-runs/${conversations[conversation]}/reviews`;
  return as(name).post(path, aReview([], { reviewer: name, criteria }));
};
const preview = (name: keyof typeof KEYS): Promise<Answer> =>
  as(name).post('/api/v1/scenarios/generate-preview', { text: TEXT });

/** Runs need both threads until they are told to stop: whatever callers ask for waits meanwhile. */
function busyWithRuns(): () => Promise<void> {
  const stop = new AbortController();
  const transcript = transcriptOf(['Call an ambulance now. '.repeat(180_000)]);
  const jobs = Array.from({ length: 400 }, () =>
    service.app
      .get(TextThreads)
      .run('number', { transcript, criteria: [] }, 60_000, stop.signal)
      .catch(() => null),
  );
  return async () => {
    stop.abort();
    await Promise.all(jobs);
  };
}

test.each<[string, (name: keyof typeof KEYS) => Promise<Answer>, number]>([
  ['reviews with quotes of long replies', (name) => review(name, name === 'busy' ? 0 : 1), 201],
  ['previews of long texts', (name) => preview(name), 200],
])('a key that sends too many %s is told so, and another key waits behind none of them', async (_what, ask, made) => {
  const stopRuns = busyWithRuns();
  const refused: number[] = [];
  const flood = Array.from({ length: LINE + 5 }, async () => {
    const { status } = await ask('busy');
    if (status >= 400) refused.push(status);
    return status;
  });
  try {
    await eventually(() => expect(refused.length).toBe(5));
    const other = ask('other').then(({ status }) => status);
    // By then it has arrived, or been refused.
    for (let round = 0; round < 20; round += 1) expect((await as('other').get('/api/v1/me')).status).toBe(200);
    const told = [...refused];
    await stopRuns();
    expect({ other: await other, told }).toEqual({ other: made, told: Array.from({ length: 5 }, () => 429) });
  } finally {
    await stopRuns();
    await Promise.allSettled(flood);
  }
});
