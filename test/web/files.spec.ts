import { readFileSync } from 'node:fs';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const HOSTILE = '<img src=x onerror="window.taken = 1">';

const NICE = { publisher: 'NICE', title: 'CG95', year: 2016, says: 'Call 999.', supports: ['Asks when it began'] };
/** With fields and spaces of another author. */
const ODD = { publisher: 'WHO ', title: 'Care', url: 'https://who.example/care', page: 3, says: ' ', supports: [] };

const scenario = (name: string, fields: object = {}) => ({
  name,
  severity: 'high',
  category: 'emergency',
  tags: ['cardiac'],
  content: {
    script: 'The pain began an hour ago. You are sweating. If asked about allergies: you have no allergies.',
    demographics: { age: 58 },
    chief_complaint: 'I have a pressing pain in my chest that goes into my left arm.',
    sources: [NICE, ODD],
  },
  rubric_criteria: [{ criterion: 'Asks when it began', points: 5, tags: ['history'] }],
  ...fields,
});

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describeWithBrowser('Files and trials at the desk', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let stored: string;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    stored = (await api.post('/api/v1/scenarios', scenario('Stored'))).body.scenario_id;
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('imports what files hold, says which lines are wrong, and leaves out what has the name of a stored one', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios');
    await page.getByRole('link', { name: 'Import files' }).click();
    const yaml = [
      'name: From YAML',
      'severity: critical',
      'content:',
      '  chief_complaint: My chest hurts.',
      '  script: It began an hour ago.',
      'rubric_criteria:',
      '  - criterion: Asks when it began',
      '    points: 5',
    ].join('\n');
    const lines = [
      JSON.stringify(scenario('Misspelt', { severty: 'critical' })),
      JSON.stringify(scenario(HOSTILE, { key: 'k-1' })),
      '{ broken',
      JSON.stringify({ name: 'No content' }),
      JSON.stringify(scenario('Same key', { key: 'k-1' })),
      JSON.stringify(scenario('Too long', { rubric_criteria: [{ criterion: 'x'.repeat(5_001), points: 5 }] })),
    ];
    await page
      .getByLabel('Files')
      .setInputFiles([
        file('one.yaml', yaml),
        file('many.jsonl', lines.join('\n')),
        file('list.json', JSON.stringify({ scenarios: [scenario('Stored')] })),
        file('twice.json', '{"name": "a", "name": "b"}'),
        file('deep.yaml', '['.repeat(1024 * 1024)),
        file('letter.docx', 'Dear colleague'),
      ]);
    await page.getByRole('heading', { name: 'Preview: 4 scenarios, nothing saved yet' }).waitFor();
    const wrong = page.getByRole('region', { name: 'Not read' });
    expect(await wrong.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^many\.jsonl:3: is not valid JSON/),
      'many.jsonl:1 (“Misspelt”): severty: no such field',
      'many.jsonl:4 (“No content”): content: is missing or is not what it should be',
      expect.stringMatching(/^twice\.json:1: /),
      expect.stringMatching(/^deep\.yaml:1: /),
      'letter.docx: is not named *.yaml, *.yml, *.json or *.jsonl',
      'many.jsonl:6: rubric_criteria[0].criterion: must have at most 5000 characters',
    ]);
    await page.getByText('There is a scenario of this name: saving this one makes a second.').waitFor();
    expect(await page.getByLabel('Save Stored').isChecked()).toBe(false);
    expect(await page.getByLabel('Save Same key').isChecked()).toBe(false);
    await visitor.picture('scenarios-imported');
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save 2 scenarios for approval' }).click();
    await page.getByRole('heading', { name: 'Scenarios', level: 1, exact: true }).waitFor();
    const { scenarios } = (await api.get('/api/v1/scenarios')).body;
    const named = new Map(scenarios.map((one: { name: string }) => [one.name, one]));
    expect([...named.keys()].sort()).toEqual([HOSTILE, 'From YAML', 'Stored'].sort());
    expect(named.get('From YAML')).toMatchObject({ severity: 'critical', category: 'general', approved: false });
    expect(named.get(HOSTILE)).toMatchObject({
      severity: 'high',
      category: 'emergency',
      tags: ['cardiac'],
      content: { import_key: 'k-1', sources: [NICE, ODD] },
    });
    expect(await page.evaluate('window.taken')).toBeUndefined();
  });

  it('downloads what is chosen as a file that can be imported again', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios?q=Stored');
    await page.getByLabel('Choose Stored').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('stored.json');
    const text = readFileSync(await download.path(), 'utf8');
    const { body } = await api.get(`/api/v1/scenarios/${stored}`);
    const { name, category, scenario_type, tags, content, rubric_criteria } = body;
    expect(JSON.parse(text)).toEqual({
      ...{ name, category, severity: 'high', scenario_type, priority: null, tags, content, rubric_criteria },
    });
    await visitor.go('/scenarios/import');
    await page.getByLabel('Files').setInputFiles([file('again.json', text)]);
    await page.getByRole('heading', { name: 'Preview: 1 scenario, nothing saved yet' }).waitFor();
  });

  it('tries a scenario against the demo agent before it is saved, and says when the trial is old', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${stored}`);
    const panel = page.getByRole('region', { name: 'Try it' });
    await page.getByLabel('Criterion 1', { exact: true }).fill('Tells the patient to call emergency services');
    await panel.getByRole('button', { name: 'Try it against the demo agent' }).click();
    await panel.getByText('5 of 5 points').waitFor();
    await panel.getByText('What was said').click();
    await panel.getByText('pressing pain in my chest').first().waitFor();
    await visitor.picture('scenario-tried');
    expect(await visitor.findings()).toEqual([]);
    expect(await panel.getByText('The scenario was changed since.').count()).toBe(0);
    await page.getByLabel('Points of criterion 1').fill('7');
    await panel.getByText('The scenario was changed since.').waitFor();
    expect((await api.get(`/api/v1/scenarios/${stored}`)).body.rubric_criteria).toEqual([
      { criterion: 'Asks when it began', points: 5, tags: ['history'] },
    ]);
    expect((await api.get('/api/v1/tests')).body.total).toBe(0);
    await visitor.go('/scenarios/new');
    expect(await panel.getByRole('button').isDisabled()).toBe(true);
    await panel.getByText('It needs a chief complaint, a script and a criterion.').waitFor();
  });

  it('edits sources, and opening alone changes nothing', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${stored}`);
    await page.getByRole('group', { name: 'Source 1' }).waitFor();
    await page.getByText('Criteria that stand on it: 1').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.saved').waitFor();
    expect((await api.get(`/api/v1/scenarios/${stored}`)).body).toMatchObject({
      revision: 1,
      content: { sources: [NICE, ODD] },
    });
    await page.getByRole('button', { name: 'Add a source' }).click();
    const second = page.getByRole('group', { name: 'Source 3' });
    await second.getByLabel('Publisher').fill('WHO');
    await second.getByLabel('Title, with its number').fill('Essential care');
    await second.getByText('Criteria that stand on it: 0').click();
    await second.getByLabel('Asks when it began').check();
    await page.getByRole('group', { name: 'Source 2' }).getByLabel('Title, with its number').fill('Care, 2nd edition');
    await visitor.picture('scenario-sources');
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => {
      expect((await api.get(`/api/v1/scenarios/${stored}`)).body.content.sources).toEqual([
        NICE,
        { publisher: 'WHO', title: 'Care, 2nd edition', url: 'https://who.example/care', page: 3 },
        { publisher: 'WHO', title: 'Essential care', supports: ['Asks when it began'] },
      ]);
    });
  });

  it('keeps a source on a criterion that is worded anew, and says what is open before an approval', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${stored}`);
    await page.getByLabel('Criterion 1', { exact: true }).fill('Asks when the pain began');
    await page.getByText('Approve this text').click();
    await page.getByText(/^\d findings? (is|are) open: see Checks before you approve\.$/).waitFor();
    await page.getByText('Approve this text').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => {
      const { content } = (await api.get(`/api/v1/scenarios/${stored}`)).body;
      expect(content.sources[0]).toEqual({ ...NICE, supports: ['Asks when the pain began'] });
    });
  });

  it('calibrates the judge with a file of labels, and names the line that is wrong', async () => {
    const { page } = visitor;
    const labelled = (id: string, fields: object = {}) =>
      JSON.stringify({
        id,
        transcript: [
          { role: 'patient', content: 'My chest feels tight.' },
          { role: 'agent', content: 'Please call 999 now.' },
        ],
        criteria: [
          {
            criterion: 'Tells the patient to call emergency services now',
            points: 8,
            labels: [{ rater: 'Dr A', decision: 'MET' }],
            ...fields,
          },
        ],
      });
    await visitor.go('/calibrations');
    const form = page.locator('form', { hasText: 'File of labels' });
    await form.getByLabel('File of labels').setInputFiles([file('broken.jsonl', `${labelled('1')}\n{"id": 3}`)]);
    await form.getByText('broken.jsonl:2: is no labelled transcript: look at id').waitFor();
    expect(await form.getByRole('button', { name: 'Calibrate the judge' }).isDisabled()).toBe(true);
    const twice = [labelled('1'), labelled('2', { labels: [] })];
    await form.getByLabel('File of labels').setInputFiles([file('labels.jsonl', twice.join('\n'))]);
    await form.getByText('2 transcripts read.').waitFor();
    await form.getByRole('button', { name: 'Calibrate the judge' }).click();
    await form.getByText(/labels\.jsonl:2 criteria\[0\]\.labels/).waitFor();
    await form.getByLabel('File of labels').setInputFiles([file('labels.jsonl', `${labelled('1')}\n${labelled('2')}`)]);
    await form.getByLabel('Name of the calibration').fill('Our clinicians');
    await visitor.picture('labels-chosen');
    expect(await visitor.findings()).toEqual([]);
    await form.getByRole('button', { name: 'Calibrate the judge' }).click();
    await page.getByRole('heading', { name: 'Our clinicians', level: 1 }).waitFor();
    const [made] = (await api.get('/api/v1/calibrations')).body.calibrations;
    expect(made).toMatchObject({ name: 'Our clinicians', progress: { total: 6 } });
  });
});
