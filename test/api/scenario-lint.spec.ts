import { readFile } from 'node:fs/promises';
import { readScenarioFile } from '../../src/features/scenarios/files/read-scenario-file';
import { join } from 'node:path';
import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

const lint = (body: object) => api.post('/api/v1/scenarios/lint', body);

const FAULTY = {
  name: 'A sugar',
  severity: 'low',
  content: { script: 'Your blood sugar was 11 today.', chief_complaint: 'I feel odd.' },
  rubric_criteria: [
    { criterion: 'Asks about blood sugar', points: 5 },
    { criterion: 'Advises rest and water', points: 2 },
  ],
};
const RULES_OF_FAULTY = [
  'quantity_without_unit content.script',
  'fixed_text_passes rubric_criteria',
  'question_without_answer rubric_criteria[0].criterion',
  'two_acts rubric_criteria[1].criterion',
  'questions_suffice rubric_criteria',
  'over_triage_unpunished rubric_criteria',
];
const named = (findings: { rule: string; path: string }[]) => findings.map(({ rule, path }) => `${rule} ${path}`);

describe('POST /api/v1/scenarios/lint', () => {
  it('says of a scenario what to mend, and stores nothing', async () => {
    const { status, body } = await lint(FAULTY);
    expect(status).toBe(200);
    expect(body).toEqual({
      scenarios: [{ scenario_id: null, name: 'A sugar', findings: expect.any(Array) }],
      total: 1,
      total_findings: RULES_OF_FAULTY.length,
    });
    expect(named(body.scenarios[0].findings)).toEqual(RULES_OF_FAULTY);
    expect(body.scenarios[0].findings[0]).toEqual({
      rule: 'quantity_without_unit',
      severity: 'error',
      path: 'content.script',
      sentence: '"blood sugar was 11" has no unit: write it behind the number.',
    });
    expect((await api.get('/api/v1/scenarios')).body.total).toBe(0);
  });

  it('has nothing to say of a file of the starter library, sent as it is', async () => {
    const file = join(__dirname, '../../content/scenarios/pain_and_injury/twisted-ankle-after-football.yaml');
    const { body } = await lint(Object(readScenarioFile(await readFile(file, 'utf8'))));
    expect(body).toMatchObject({ total: 1, total_findings: 0 });
  });

  it('takes a draft: nothing written yet, in a rubric whose lines keep their numbers', async () => {
    expect((await lint({ content: {} })).body).toEqual({
      scenarios: [{ scenario_id: null, name: null, findings: [] }],
      total: 1,
      total_findings: 0,
    });
    const { body } = await lint({
      ...FAULTY,
      rubric_criteria: [{ criterion: '', points: 5, tags: [] }, ...FAULTY.rubric_criteria],
    });
    expect(named(body.scenarios[0].findings)).toContain('two_acts rubric_criteria[2].criterion');
  });

  it('lints stored ones by their ids, deleted ones too, each once and in their order', async () => {
    const ids: string[] = [];
    for (const name of ['First', 'Second']) {
      ids.push((await api.post('/api/v1/scenarios', { ...FAULTY, name })).body.scenario_id);
    }
    await api.delete(`/api/v1/scenarios/${ids[1]}`);
    const { body } = await lint({ scenario_ids: [ids[1], ids[0], ids[1]] });
    expect(body.scenarios.map(({ scenario_id, name }: Record<string, string>) => [scenario_id, name])).toEqual([
      [ids[1], 'Second'],
      [ids[0], 'First'],
    ]);
    expect(body.scenarios.map(({ findings }: { findings: [] }) => named(findings))).toEqual([
      RULES_OF_FAULTY,
      RULES_OF_FAULTY,
    ]);
    expect(body.total_findings).toBe(2 * RULES_OF_FAULTY.length);
  });

  it.each([
    ['neither', {}, 'request: give either a scenario (content and rubric_criteria) or scenario_ids'],
    ['both', { ...FAULTY, scenario_ids: [UNKNOWN_ID] }, 'request: give either a scenario'],
    ['an unknown id', { scenario_ids: [UNKNOWN_ID, 'x'] }, `scenario_ids: no such scenario: ${UNKNOWN_ID}, x`],
    ['no id', { scenario_ids: [] }, 'scenario_ids: must have at least 1 item'],
    [
      'a wrong criterion',
      { content: {}, rubric_criteria: [{ criterion: 1, points: 1 }] },
      'rubric_criteria[0].criterion',
    ],
    ['a script that is no text', { content: { script: 7 } }, 'content.script: expected string'],
  ])('answers 400 to %s', async (_, body, sentence) => {
    const answer = await lint(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(sentence);
  });

  it('reads the longest scenario that fits into a request, and answers others meanwhile', async () => {
    const criterion = { criterion: `Asks ${'about pain and sorrow '.repeat(200)}`, points: 1, tags: ['empathy'] };
    const long = {
      content: {
        script: 'If asked about pain: your blood sugar was 11. '.repeat(2_000),
        chief_complaint: 'It hurts. '.repeat(900),
        gold_standard: 'Asks about sorrow, unless the temperature was 38. '.repeat(1_500),
      },
      rubric_criteria: Array.from({ length: 150 }, () => criterion),
    };
    const linted = lint(long);
    const others = await Promise.all(Array.from({ length: 20 }, () => api.get('/health/live')));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    const { status, body } = await linted;
    expect(status).toBe(200);
    expect(body.total_findings).toBeLessThanOrEqual(500);
  });
});

describe('POST /api/v1/scenarios/generate-preview', () => {
  it('comes with what the lint says of each scenario, which can be sent to be stored as it is', async () => {
    const text =
      'Chest pain\nThe assistant must tell the patient to call emergency services. The assistant must ask when the pain started.';
    const { status, body } = await api.post('/api/v1/scenarios/generate-preview', { text });
    expect(status).toBe(200);
    const [proposal] = body.scenarios;
    expect(proposal.findings).toContainEqual({
      rule: expect.any(String),
      severity: expect.stringMatching(/^(error|warning)$/),
      path: expect.any(String),
      sentence: expect.any(String),
    });
    const { findings: _, ...sent } = proposal;
    expect((await lint(sent)).body.scenarios[0].findings).toEqual(proposal.findings);
    expect((await api.post('/api/v1/scenarios', proposal)).status).toBe(201);
  });
});
