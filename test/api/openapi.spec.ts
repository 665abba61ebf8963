import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { ApiDescription, type Operation } from '../setup/api-description';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import { Database } from '../../src/platform/database/database';
import { storeScreenshot } from '../setup/stored-screenshot';
import { constructedVoice, storeSpokenRun } from '../setup/stored-spoken-run';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let description: ApiDescription;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  description = await ApiDescription.of(service.url);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

describe('the API description', () => {
  it('names every endpoint of the service, and nothing else', () => {
    const endpoints = description.operations.map(({ method, path }) => `${method} ${path}`);
    expect(endpoints.sort()).toEqual(
      [
        'POST /start-run',
        'POST /cancel-run',
        'POST /start-run-set',
        'GET /api/v1/run-sets/{id}',
        'POST /api/v1/run-sets/{id}/cancel',
        'GET /api/v1/run-sets/{id}/comparisons',
        'GET /health',
        'GET /health/live',
        'GET /api/v1/me',
        'GET /health/ready',
        'GET /metrics',
        'GET /events',
        'GET /api/v1/tests',
        'GET /api/v1/tests/{id}',
        'DELETE /api/v1/tests/{id}',
        'POST /api/v1/tests/{id}/retry',
        'POST /api/v1/transcripts',
        'POST /api/v1/tests/{id}/regrade',
        'GET /api/v1/tests/{id}/export',
        'GET /api/v1/tests/{id}/export-csv',
        'GET /api/v1/tests/{id}/statistics',
        'GET /api/v1/tests/{id}/comparison',
        'GET /api/v1/grid',
        'GET /api/v1/scenario-runs',
        'GET /api/v1/scenario-runs/{id}',
        'GET /api/v1/scenario-runs/{id}/screenshot',
        'GET /api/v1/scenario-runs/{id}/recording.wav',
        'GET /api/v1/scenario-runs/{id}/peaks',
        'GET /api/v1/scenario-runs/{id}/speech',
        'GET /api/v1/tests/{id}/speech',
        'POST /api/v1/scenario-runs/{id}/fork',
        'GET /api/v1/scenarios',
        'POST /api/v1/scenarios',
        'GET /api/v1/scenarios/{id}',
        'PATCH /api/v1/scenarios/{id}',
        'DELETE /api/v1/scenarios/{id}',
        'GET /api/v1/scenarios/{id}/revisions',
        'GET /api/v1/scenarios/{id}/history',
        'POST /api/v1/scenarios/generate',
        'POST /api/v1/scenarios/generate-batch',
        'POST /api/v1/scenarios/generate-preview',
        'POST /api/v1/scenarios/lint',
        'POST /api/v1/scenarios/try',
        'GET /api/v1/agents',
        'POST /api/v1/agents',
        'GET /api/v1/agents/{id}',
        'PATCH /api/v1/agents/{id}',
        'DELETE /api/v1/agents/{id}',
        'POST /api/v1/agents/read-curl',
        'POST /api/v1/agents/try',
        'POST /api/v1/agents/{id}/try',
        'GET /api/v1/agents/{id}/history',
        'PUT /api/v1/agents/{id}/baseline',
        'DELETE /api/v1/agents/{id}/baseline',
        'GET /api/v1/inspect/machines',
        'GET /api/v1/inspect/actors',
        'GET /api/v1/inspect/actors/{id}',
        'GET /api/v1/inspect/actors/{id}/events',
        'GET /api/v1/test-suites',
        'POST /api/v1/test-suites',
        'GET /api/v1/test-suites/{id}',
        'PATCH /api/v1/test-suites/{id}',
        'PATCH /api/v1/tests/{id}',
        'DELETE /api/v1/test-suites/{id}',
        'GET /api/v1/tests/{id}/report',
        'GET /api/v1/calibrations',
        'POST /api/v1/calibrations',
        'GET /api/v1/calibrations/{id}',
        'DELETE /api/v1/calibrations/{id}',
        'POST /api/v1/calibrations/{id}/cancel',
        'GET /api/v1/scenario-runs/{id}/reviews',
        'POST /api/v1/scenario-runs/{id}/reviews',
        'GET /api/v1/scenario-runs/{id}/review-sheet',
        'GET /api/v1/tests/{id}/review-queue',
        'GET /api/v1/agreement',
        'GET /api/v1/audit',
        'GET /api/v1/schedules',
        'POST /api/v1/schedules',
        'GET /api/v1/schedules/{id}',
        'PATCH /api/v1/schedules/{id}',
        'DELETE /api/v1/schedules/{id}',
        'POST /api/v1/schedules/{id}/run',
        'GET /api/v1/schedules/{id}/starts',
        'GET /api/v1/schedule-preview',
        'GET /api/v1/sign-in',
        'POST /api/v1/sign-out',
        'GET /api/v1/keys',
        'POST /api/v1/keys',
        'DELETE /api/v1/keys/{id}',
        'GET /api/v1/webhooks',
        'POST /api/v1/webhooks',
        'GET /api/v1/webhooks/{id}',
        'PATCH /api/v1/webhooks/{id}',
        'DELETE /api/v1/webhooks/{id}',
        'POST /api/v1/webhooks/{id}/rotate-secret',
        'POST /api/v1/webhooks/{id}/test',
        'POST /api/v1/webhook-deliveries/{id}/redeliver',
      ].sort(),
    );
  });

  it('is OpenAPI 3.1 whose schemas all compile', () => {
    expect(description.document.openapi).toBe('3.1.0');
    expect(() => description.compileEverything()).not.toThrow();
  });

  it('gives every operation an id of its own, a summary, a tag that is introduced, and words for every answer', () => {
    const ids = description.operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const introduced = description.document.tags.map(({ name }) => name);
    for (const { operationId, summary, tags, responses } of description.operations) {
      expect({ operationId, summary }).toEqual({ operationId, summary: expect.stringMatching(/\w/) });
      expect(tags).toHaveLength(1);
      expect(introduced).toEqual(expect.arrayContaining([...(tags ?? [])]));
      for (const answer of Object.values(responses)) expect(answer.description).toMatch(/\w/);
    }
  });

  it('describes the same error body for every status of 400 and more', () => {
    const health = new Set(['GET /health 503', 'GET /health/ready 503']);
    for (const { method, path, responses } of description.operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400 || health.has(`${method} ${path} ${status}`)) continue;
        expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
      }
    }
  });

  it('says how to send a key, and what needs none', () => {
    expect(description.document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
    expect(description.document.paths['/health']?.['get']).toMatchObject({ security: [] });
  });

  it('shows an example for every body', () => {
    for (const { operationId, requestBody } of description.operations) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      expect({ operationId, ...description.resolve(schema) }).toHaveProperty('example');
    }
  });

  it('is shown on a page whose scripts and styles come from this origin', async () => {
    const { status, body } = await api.get('/docs');
    expect(status).toBe(200);
    const scripts = [...String(body).matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    for (const attributes of scripts) {
      const source = /src="([^"]+)"/.exec(attributes)?.[1] ?? '';
      expect(source).toMatch(/^\.\/docs\//);
      expect((await api.get(new URL(source, `${service.url}/docs`).pathname)).status).toBe(200);
    }
  });
});

describe('real answers', () => {
  const seen = new Set<string>();

  /** Sends a request and checks its answer against what the operation's description promises. */
  async function call(
    operationId: string,
    expected: number,
    where: Where = {},
    body?: unknown,
  ): Promise<Answer['body']> {
    const operation = description.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`No operation ${operationId}.`);
    const response = await fetch((where.at ?? service.url) + pathOf(operation, where), {
      method: operation.method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...where.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const answer = { status, contentType: response.headers.get('content-type'), text: await response.text() };
    expect({ operationId, status, problem: description.problemOf(operation, answer) }).toEqual({
      operationId,
      status: expected,
      problem: null,
    });
    seen.add(`${operationId} ${status}`);
    const tag = response.headers.get('etag');
    if (operation.method === 'GET' && tag !== null) await expectUnchanged(operation, where, tag);
    const { contentType, text } = answer;
    const parsed: Answer['body'] = contentType?.startsWith('application/json') ? JSON.parse(text) : text;
    return parsed;
  }

  /** What has an entity tag is not sent again to a client that has it, as described; its state may have changed by then. */
  async function expectUnchanged(operation: Operation, where: Where, tag: string): Promise<void> {
    const headers = { ...where.headers, 'if-none-match': tag, 'cache-control': 'max-age=0' };
    const response = await fetch((where.at ?? service.url) + pathOf(operation, where), { headers });
    const answer = {
      status: response.status,
      contentType: response.headers.get('content-type'),
      text: await response.text(),
    };
    const { operationId } = operation;
    expect({ operationId, problem: description.problemOf(operation, answer) }).toEqual({ operationId, problem: null });
  }

  it('are what the description promises, for every operation', async () => {
    const agentId = await createAgent(api, agent.baseUrl);
    const scenarioIds = await createScenarios(api, 2);
    await call('getHealth', 200);
    await call('getLiveness', 200);
    await call('getMe', 200);
    await call('getSignIn', 200);
    await call('signOut', 200);
    await eventually(() => call('getReadiness', 200));
    await call('getMetrics', 200);

    await call('listAgents', 200);
    const created = await call('createAgent', 201, {}, { name: 'Second', provider: 'vapi', config: { apiKey: 'k' } });
    await call('createAgent', 400, {}, { name: 'Third', provider: 'fax', config: {} });
    await call('getAgent', 200, { id: created.id });
    await call('tryAgent', 200, { id: agentId }, { message: 'Hello.' });
    await call('tryAgent', 400, { id: agentId }, { message: '' });
    await call('tryAgent', 404, { id: UNKNOWN_ID });
    await call('tryUnsavedAgent', 200, {}, { provider: 'openai', config: { base_url: agent.baseUrl } });
    await call('tryUnsavedAgent', 400, {}, { provider: 'openai' });
    await call('readCurlLine', 200, {}, { curl: 'curl http://127.0.0.1:9/chat -d message=Hello' });
    await call('readCurlLine', 400, {}, { curl: 'wget http://127.0.0.1:9/' });
    await call('updateAgent', 200, { id: created.id }, { description: 'Changed', config: { apiKey: null } });
    await call('deleteAgent', 204, { id: created.id });
    await call('getAgent', 404, { id: created.id });
    await call('updateAgent', 404, { id: created.id }, {});
    await call('deleteAgent', 404, { id: created.id });

    const scenario = { name: 'Third', content: { script: 'You cough.', chief_complaint: 'I cough.', more: [1] } };
    const { scenario_id } = await call('createScenario', 201, {}, scenario);
    await call('createScenario', 400, {}, { ...scenario, severity: 'awful' });
    await call('listScenarios', 200);
    await call('listScenarios', 200, { query: 'tag=test' });
    await call('listScenarios', 400, { query: 'tag=' });
    await call('getScenario', 200, { id: scenario_id });
    await call('updateScenario', 200, { id: scenario_id }, { priority: 3, tags: ['a'] });
    await call('updateScenario', 400, { id: scenario_id }, { priority: 'first' });
    await call('listScenarioRevisions', 200, { id: scenario_id });
    await call('listScenarioRevisions', 400, { id: scenario_id, query: 'limit=none' });
    await call('listScenarioRevisions', 404, { id: UNKNOWN_ID });
    await call('deleteScenario', 204, { id: scenario_id });
    await call('getScenario', 404, { id: UNKNOWN_ID });
    await call('generateScenario', 201, {}, { text: 'Fever: the assistant must ask for the age of the child.' });
    await call('generateScenario', 400, {}, { text: 'Blue.' });
    await call('generateScenarios', 201, {}, { text: 'Fever: the assistant must ask for the age of the child.' });
    await call('generateScenarios', 400, {}, { text: '' });
    await call('previewScenarios', 200, {}, { text: 'Fever: the assistant must ask for the age of the child.' });

    await call('lintScenarios', 200, {}, { scenario_ids: scenarioIds });
    await call('lintScenarios', 400, {}, { scenario_ids: [UNKNOWN_ID] });

    const tried = { script: 'It began an hour ago.', chief_complaint: 'I have a pain in my chest.' };
    await call(
      'tryScenario',
      200,
      {},
      { content: tried, rubric_criteria: [{ criterion: 'Asks when it began', points: 5 }] },
    );
    await call('tryScenario', 400, {}, { content: tried, rubric_criteria: [] });

    const suite = await call('createTestSuite', 201, {}, { name: 'Gate', scenario_ids: scenarioIds });
    await call('createTestSuite', 400, {}, { name: 'Gate', scenario_ids: [UNKNOWN_ID] });
    await call('listTestSuites', 200);
    await call('getTestSuite', 200, { id: suite.id });
    await call('updateTestSuite', 200, { id: suite.id }, { description: 'Of the release' });

    const calibration = await call('createCalibration', 201, {}, { name: 'Starter set', starter_set: true });
    await call('createCalibration', 400, {}, { name: 'Nothing to mark' });
    await call('listCalibrations', 200);
    await call('getCalibration', 200, { id: calibration.id });
    await call('getCalibration', 404, { id: UNKNOWN_ID });
    await call('cancelCalibration', 200, { id: calibration.id });
    await call('cancelCalibration', 404, { id: UNKNOWN_ID });
    await call('deleteCalibration', 204, { id: calibration.id });
    await call('deleteCalibration', 404, { id: UNKNOWN_ID });

    const webhook = await call('createWebhook', 201, {}, { url: agent.baseUrl, events: ['comparison.worse'] });
    await call('createWebhook', 400, {}, { url: 'ftp://files.example.org' });
    await call('listWebhooks', 200);
    await call('updateWebhook', 200, { id: webhook.id }, { description: 'Of the release' });
    await call('updateWebhook', 404, { id: UNKNOWN_ID }, {});
    const delivery = await call('testWebhook', 202, { id: webhook.id });
    await call('testWebhook', 404, { id: UNKNOWN_ID });
    await call('rotateWebhookSecret', 200, { id: webhook.id });
    await call('rotateWebhookSecret', 404, { id: UNKNOWN_ID });
    await call('getWebhook', 200, { id: webhook.id });
    await call('getWebhook', 404, { id: UNKNOWN_ID });
    await call('redeliver', 202, { id: delivery.id });
    await call('redeliver', 404, { id: UNKNOWN_ID });
    await call('updateWebhook', 200, { id: webhook.id }, { is_active: false });
    await call('testWebhook', 409, { id: webhook.id });
    await call('deleteWebhook', 204, { id: webhook.id });
    await call('deleteWebhook', 404, { id: webhook.id });

    const recurring = {
      name: 'Nightly',
      run: { agent_id: agentId, max_turns: 5 },
      cron: '0 3 * * *',
      time_zone: 'UTC',
    };
    const schedule = await call('createSchedule', 201, {}, { ...recurring, gate: { fail_under: 80 } });
    await call('createSchedule', 400, {}, { ...recurring, cron: '* * * * *' });
    await call('createSchedule', 409, {}, recurring);
    await call('listSchedules', 200);
    await call('previewSchedule', 200, { query: 'cron=0+3+*+*+*&time_zone=UTC' });
    await call('previewSchedule', 400, { query: 'cron=0+3+*+*+*&time_zone=Mars' });
    const recurred = await call('runSchedule', 200, { id: schedule.id });
    await call('runSchedule', 404, { id: UNKNOWN_ID });
    await untilFinal(api, recurred.id);
    await call('getSchedule', 200, { id: schedule.id });
    await call('getSchedule', 404, { id: UNKNOWN_ID });
    await call('listScheduleStarts', 200, { id: schedule.id });
    await call('listScheduleStarts', 404, { id: UNKNOWN_ID });
    await call('updateSchedule', 200, { id: schedule.id }, { is_enabled: false });
    await call('updateSchedule', 400, { id: schedule.id }, { cron: '' });
    await call('updateSchedule', 404, { id: UNKNOWN_ID }, {});
    await call('deleteSchedule', 204, { id: schedule.id });
    await call('deleteSchedule', 404, { id: UNKNOWN_ID });
    await call('createKey', 409, {}, { name: 'ci', role: 'runner' });
    const guarded = await startTestService(keyVariables());
    const admin = { at: guarded.url, headers: { 'x-api-key': KEYS.admin } };
    const key = await call('createKey', 201, admin, { name: 'ci', role: 'runner', expires_in_days: 90 });
    await call('createKey', 409, admin, { name: 'ci', role: 'viewer' });
    await call('createKey', 400, admin, { name: 'c i', role: 'viewer' });
    await call('listKeys', 200, admin);
    await call('revokeKey', 204, { ...admin, id: key.id });
    await call('revokeKey', 404, { ...admin, id: UNKNOWN_ID });
    await guarded.close();

    await call('startRun', 400, {}, {});
    await call('startRun', 404, {}, { agent_id: agentId, test_suite_id: UNKNOWN_ID });
    const started = await call('startRun', 200, {}, { agent_id: agentId, test_suite_id: suite.id, max_turns: 5 });
    await call('getTestRun', 200, { id: started.id });
    await untilFinal(api, started.id);
    await call('getTestRun', 200, { id: started.test_run_id });
    await call('getTestRun', 404, { id: UNKNOWN_ID });
    await call('listTestRuns', 200, { query: 'limit=1&status=completed' });
    await call('listTestRuns', 400, { query: 'status=over' });
    const { results } = await call('listScenarioRuns', 200, { query: `test_run_id=${started.id}` });
    await call('listScenarioRuns', 400);
    await call('listScenarioRuns', 404, { query: `test_run_id=${UNKNOWN_ID}` });
    const detail = await call('getScenarioRun', 200, { id: results[0].id });
    expect(detail.transcript.length).toBeGreaterThan(0);
    await call('getScenarioRun', 404, { id: UNKNOWN_ID });
    await call('getScreenshot', 404, { id: results[0].id });
    const decided = { reviewer: 'Dr. Osei', blind: true, criteria: [{ index: 0, decision: 'MET' }] };
    await call('createReview', 201, { id: results[0].id }, decided);
    await call('createReview', 400, { id: results[0].id }, { reviewer: 'Dr. Osei', criteria: [] });
    await call('createReview', 404, { id: UNKNOWN_ID }, decided);
    await call('listReviews', 200, { id: results[0].id });
    await call('listReviews', 404, { id: UNKNOWN_ID });
    await call('getReviewSheet', 200, { id: results[0].id });
    await call('getReviewSheet', 404, { id: UNKNOWN_ID });
    await call('getReviewQueue', 200, { id: started.id });
    await call('getReviewQueue', 400, { id: started.id, query: 'sample=101' });
    await call('getReviewQueue', 404, { id: UNKNOWN_ID });
    await call('getAgreement', 200, { query: `test_run_id=${started.id}` });
    await call('getAgreement', 400, { query: 'confidence=100' });
    await call('getAgreement', 404, { query: `test_run_id=${UNKNOWN_ID}` });
    const unreachable = await createAgent(api, 'http://127.0.0.1:9');
    const failing = await call('startRun', 200, {}, { agent_id: unreachable, scenario_ids: scenarioIds.slice(0, 1) });
    await untilFinal(api, failing.id);
    const [failed] = await scenarioRunsOf(api, failing.id);
    await storeScreenshot(service.database, failed.id);
    await call('getScreenshot', 200, { id: failed.id });
    const [spoken, holed, live] = (await storedCalls(service)).scenarioRunIds;
    for (const operation of ['getRecording', 'getRecordingPeaks'] as const) {
      await call(operation, 200, { id: spoken });
      await call(operation, 400, { id: spoken, query: 'from=2&to=1' });
      await call(operation, 404, { id: holed });
      await call(operation, 409, { id: live });
    }
    await call('getRecording', 206, { id: spoken, headers: { range: 'bytes=0-99' } });
    await call('getRecording', 416, { id: spoken, headers: { range: 'bytes=99999999-' } });
    await call('getSpokenTimeline', 200, { id: spoken });
    await call('getSpokenTimeline', 200, { id: spoken, query: 'format=audacity' });
    await call('getSpokenTimeline', 400, { id: spoken, query: 'format=midi' });
    await call('getSpokenTimeline', 404, { id: failed.id });
    const { test_run_id: spokenRun } = await call('getScenarioRun', 200, { id: spoken });
    await call('getRunSpeech', 200, { id: spokenRun, query: 'by=turn' });
    await call('getRunSpeech', 400, { id: spokenRun, query: 'by=word' });
    await call('getRunSpeech', 404, { id: started.id });
    const retried = await call('retryTestRun', 200, { id: failing.id });
    await untilFinal(api, retried.id);
    await call('retryTestRun', 404, { id: UNKNOWN_ID });
    const regraded = await call('regradeTestRun', 200, { id: started.id }, { rubric: 'current' });
    await untilFinal(api, regraded.id);
    await call('regradeTestRun', 400, { id: started.id }, { rubric: 'mine' });
    await call('regradeTestRun', 404, { id: UNKNOWN_ID });
    await call('regradeTestRun', 409, { id: failing.id });
    const forked = await call(
      'forkScenarioRun',
      200,
      { id: results[0].id },
      { at_turn: 2, patient_message: 'It hurts.' },
    );
    await untilFinal(api, forked.id);
    await call('forkScenarioRun', 400, { id: results[0].id }, { at_turn: 9 });
    await call('forkScenarioRun', 404, { id: UNKNOWN_ID }, { at_turn: 1 });
    const transcript = [
      { role: 'patient', content: 'My chest hurts.' },
      { role: 'agent', content: 'Call an ambulance.' },
    ];
    const imported = await call(
      'gradeTranscripts',
      200,
      {},
      { agent_name: 'Line', items: [{ scenario_id: scenarioIds[0], transcript }] },
    );
    await untilFinal(api, imported.id);
    await call('gradeTranscripts', 400, {}, { agent_name: 'Line', items: [{ transcript }] });
    await call('retryTestRun', 409, { id: started.id });
    for (const format of ['csv', 'json', 'junit']) {
      await call('exportTestRun', 200, { id: started.id, query: `format=${format}` });
    }
    await call('exportTestRun', 400, { id: started.id, query: 'format=pdf' });
    await call('exportTestRunCsv', 200, { id: started.id });
    const history = await call('getScenarioHistory', 200, { id: scenarioIds[0] ?? '' });
    expect(history.history.length).toBeGreaterThan(0);
    await call('getScenarioHistory', 400, { id: scenarioIds[0] ?? '', query: 'offset=-1' });
    await call('getScenarioHistory', 404, { id: UNKNOWN_ID });
    const fared = await call('getAgentHistory', 200, { id: agentId });
    expect(fared.points.length).toBeGreaterThan(0);
    await call('getAgentHistory', 400, { id: agentId, query: 'from=yesterday' });
    await call('getAgentHistory', 404, { id: UNKNOWN_ID });
    await call('getRunReport', 200, { id: started.id });
    await call('getRunReport', 200, { id: started.id, query: 'format=json' });
    await call('getRunReport', 400, { id: started.id, query: 'format=pdf' });
    await call('getRunReport', 404, { id: UNKNOWN_ID });
    await call('getRunStatistics', 200, { id: started.id });
    await call('getRunStatistics', 200, { id: failing.id, query: 'confidence=99' });
    await call('getRunStatistics', 400, { id: started.id, query: 'confidence=100' });
    await call('getRunStatistics', 404, { id: UNKNOWN_ID });
    await call('setBaseline', 200, { id: agentId }, { test_run_id: started.id });
    await call('setBaseline', 400, { id: agentId }, { test_run_id: failing.id });
    await call('setBaseline', 404, { id: agentId }, { test_run_id: UNKNOWN_ID });
    await call('getAgent', 200, { id: agentId });
    await call('clearBaseline', 204, { id: agentId });
    await call('clearBaseline', 404, { id: UNKNOWN_ID });
    await call('showGrid', 200, { query: `test_run_id=${started.id},${failing.id}` });
    await call('showGrid', 200, { query: `test_run_id=${started.id}&order=severity` });
    await call('showGrid', 400, {});
    await call('showGrid', 404, { query: `test_run_id=${UNKNOWN_ID}` });
    await call('compareTestRuns', 200, { id: failing.id, query: `before=${started.id}` });
    await call('compareTestRuns', 400, { id: started.id });
    await call('compareTestRuns', 404, { id: started.id, query: `before=${UNKNOWN_ID}` });
    const stream: string = await call('followRun', 200, { query: `run_id=${started.id}` });
    const lastId =
      stream
        .match(/^id: ?(\d+)$/gm)
        ?.at(-1)
        ?.replace(/\D/g, '') ?? '';
    await call('followRun', 204, { query: `run_id=${started.id}`, headers: { 'last-event-id': lastId } });
    await call('followRun', 400);

    await call('listAuditRecords', 200, { query: `resource_id=${started.id}` });
    await call('listAuditRecords', 400, { query: 'since=yesterday' });

    await call('listMachines', 200);
    await call('listActors', 200);
    await call('listActors', 404, { query: `run_id=${UNKNOWN_ID}` });
    await call('getActor', 200, { id: results[0].id });
    await call('getActor', 404, { id: UNKNOWN_ID });
    await call('followActor', 200, { id: started.id });
    await call('followActor', 204, { id: started.id, headers: { 'last-event-id': 'ended' } });

    const later = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await call(
      'startRun',
      200,
      {},
      { agent_id: agentId, scenario_ids: scenarioIds, scheduled_at: later },
    );
    await call('getTestRun', 200, { id: scheduled.id });
    await call('setBaseline', 409, { id: agentId }, { test_run_id: scheduled.id });
    await call('getRunReport', 409, { id: scheduled.id });
    await call('compareTestRuns', 409, { id: scheduled.id, query: `before=${started.id}` });
    const agents = ['1', '2'].map((agent_version) => ({ agent_id: agentId, agent_version }));
    const set = await call('startRunSet', 200, {}, { agents, scenario_ids: scenarioIds, scheduled_at: later });
    await call('startRunSet', 400, {}, { agents: agents.slice(1) });
    await call('startRunSet', 404, {}, { agents, test_suite_id: UNKNOWN_ID });
    await call('getRunSet', 200, { id: set.id });
    await call('getRunSet', 404, { id: UNKNOWN_ID });
    await call('compareRunSet', 409, { id: set.id });
    await call('cancelRunSet', 200, { id: set.id });
    await call('cancelRunSet', 404, { id: UNKNOWN_ID });
    await call('compareRunSet', 200, { id: set.id });
    await call('compareRunSet', 400, { id: set.id, query: 'confidence=100' });
    await call('compareRunSet', 404, { id: UNKNOWN_ID });
    await call('cancelRun', 200, {}, { test_run_id: scheduled.id });
    await call('cancelRun', 200, {}, { test_run_id: scheduled.id });
    await call('cancelRun', 400, {}, {});
    await call('cancelRun', 404, {}, { test_run_id: UNKNOWN_ID });
    await call('listScenarioRuns', 200, { query: `test_run_id=${scheduled.id}` });
    await call('updateTestRun', 200, { id: scheduled.id }, { name: 'Later', tags: ['gate'] });
    await call('updateTestRun', 400, { id: scheduled.id }, { tags: 'gate' });
    await call('updateTestRun', 404, { id: UNKNOWN_ID }, { name: null });
    await call('deleteTestRun', 204, { id: scheduled.id });
    await call('deleteTestRun', 404, { id: scheduled.id });
    await call('deleteTestSuite', 204, { id: suite.id });
    await call('getTestSuite', 404, { id: suite.id });

    const promised = description.operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300 || status === '404')
        .map((status) => `${operationId} ${status}`),
    );
    // What other calls show of the same code: 404 of the remaining operations.
    const missing = promised.filter((answer) => !seen.has(answer) && !answer.endsWith(' 404'));
    expect(missing).toEqual([]);
  });
});

interface Where {
  /** Another service than the one of this spec. */
  readonly at?: string;
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function pathOf({ path }: Operation, { id = '', query }: Where): string {
  return path.replace('{id}', encodeURIComponent(id)) + (query === undefined ? '' : `?${query}`);
}

/** Spoken conversations: with a recording, without one, and one that goes on. */
function storedCalls(service: TestService) {
  const voice = constructedVoice(1_000, 1);
  const spoken = { from_ms: 0, to_ms: 400, agent: [{ from_ms: 500, to_ms: 900 }] };
  const call = { turns: [{ said: 'It hurts.', replied: 'Where?', spoken }] };
  return storeSpokenRun(service.app.get(Database), [
    { ...call, recording: { patient: voice, agent: voice } },
    call,
    { ...call, status: 'running' },
  ]);
}
