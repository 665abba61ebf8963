import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

const CHEST_PAIN = {
  name: 'Chest pain at rest',
  content: {
    script: 'The pain began an hour ago. You are sweating. If asked about allergies: you have no allergies.',
    demographics: { age: 58 },
    chief_complaint: 'I have a pressing pain in my chest that goes into my left arm.',
  },
  rubric_criteria: [
    { criterion: 'Tells the patient to call emergency services now', points: 10, tags: ['must_pass'] },
    { criterion: 'Explains how to fold a paper aeroplane', points: 10, tags: [] },
    { criterion: 'Tells the patient to wait until tomorrow', points: -5, tags: [] },
  ],
};

describe('POST /api/v1/scenarios/try', () => {
  it('plays and marks a scenario against the demo agent, with the words that earned each mark, and stores nothing', async () => {
    const before = await countsOf();
    const { status, body } = await api.post('/api/v1/scenarios/try', CHEST_PAIN);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { agent: 'Demo clinic agent', passed: true, total_points: 10, max_points: 20, score_percent: 50 },
    });
    expect(body.transcript[0]).toEqual({
      turn: 1,
      role: 'patient',
      content: 'I have a pressing pain in my chest that goes into my left arm.',
    });
    expect(body.transcript.map(({ role }: { role: string }) => role)).toEqual(
      body.transcript.map((_: unknown, at: number) => (at % 2 === 0 ? 'patient' : 'agent')),
    );
    expect(body.criteria_results).toMatchObject([
      { decision: 'MET', points: 10, max_points: 10, evidence: [{ quote: expect.any(String) }] },
      { decision: 'NOT MET', points: 0, evidence: [] },
      { decision: 'NOT MET', points: 0, max_points: -5 },
    ]);
    const replies = body.transcript.filter(({ role }: { role: string }) => role === 'agent');
    const [{ turn, quote }] = body.criteria_results[0].evidence;
    expect(replies[turn - 1].content).toContain(quote);
    expect(await countsOf()).toEqual(before);
  });

  it('fails one whose must-pass criterion the demo agent does not meet, whatever its score', async () => {
    const [first, second] = CHEST_PAIN.rubric_criteria;
    const rubric_criteria = [first, { ...second, points: 1, tags: ['must_pass'] }];
    const { body } = await api.post('/api/v1/scenarios/try', { ...CHEST_PAIN, rubric_criteria });
    expect(body).toMatchObject({ passed: false, total_points: 10, max_points: 11 });
  });

  it('refuses what no patient may say by naming the words, not as a fault of the service', async () => {
    const content = { ...CHEST_PAIN.content, script: 'You are not a doctor. It began an hour ago.' };
    const { status, body } = await api.post('/api/v1/scenarios/try', { ...CHEST_PAIN, content });
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: expect.stringMatching(
        /^content: by this script the patient says what a patient must not \(turn \d: “.*doctor.*”\)/,
      ),
    });
  });

  it.each([
    [{ ...CHEST_PAIN, rubric_criteria: [] }, /rubric_criteria.* at least 1 item/],
    [{ ...CHEST_PAIN, content: { ...CHEST_PAIN.content, script: ' ' } }, /content\.script/],
    [{ rubric_criteria: CHEST_PAIN.rubric_criteria }, /content/],
  ])('names the field that is wrong: %#', async (asked, sentence) => {
    const { status, body } = await api.post('/api/v1/scenarios/try', asked);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(sentence) });
  });

  it.each(['a', ' ', '.', '“'])('reads as much of one character as a field holds: %s', async (character) => {
    const script = `It began an hour ago. ${character.repeat(99_000)}`;
    const rubric_criteria = [{ criterion: `Asks when it began ${character.repeat(4_900)}`, points: 5 }];
    const { status } = await api.post('/api/v1/scenarios/try', {
      content: { ...CHEST_PAIN.content, script, chief_complaint: `It hurts. ${character.repeat(9_900)}` },
      rubric_criteria,
    });
    expect([200, 400]).toContain(status);
  });

  it('answers other requests while the longest texts are read, and lets trials of one caller wait for each other', async () => {
    const long = 'You have had this cough for a week, and it is worse at night. '.repeat(500);
    const asked = { ...CHEST_PAIN, content: { ...CHEST_PAIN.content, script: long } };
    const trials = [1, 2, 3].map(() => api.post('/api/v1/scenarios/try', asked));
    const { status } = await api.get('/health');
    expect(status).toBe(200);
    for (const { status: tried } of await Promise.all(trials)) expect(tried).toBe(200);
  });
});

async function countsOf() {
  const [scenarios, runs] = await Promise.all([api.get('/api/v1/scenarios'), api.get('/api/v1/tests')]);
  return { scenarios: scenarios.body.total, runs: runs.body.total };
}
