import type { RubricCriterion } from '../../src/domain/rubric';
import type { Answer, ApiClient } from './api-client';
import { beforeNextLook } from './eventually';

/** An agent of the kind `openai` at an address; answers its id. */
export async function createAgent(api: ApiClient, baseUrl: string, config: object = {}): Promise<string> {
  const { status, body } = await api.post('/api/v1/agents', {
    name: 'Agent under test',
    provider: 'openai',
    config: { base_url: baseUrl, api_key: 'sk-test', max_retries: 0, ...config },
  });
  if (status !== 201) throw new Error(`The agent was not created: ${status} ${JSON.stringify(body)}`);
  return String(body.id);
}

export const CALLS_AMBULANCE: RubricCriterion = {
  criterion: 'Tells the patient to call an ambulance',
  points: 5,
  tags: [],
};

/** A reply that meets CALLS_AMBULANCE. */
export const GOOD_REPLY = 'Please call an ambulance now.';

/** Active, approved scenarios; answers their ids in order. */
export async function createScenarios(api: ApiClient, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { status, body } = await api.post('/api/v1/scenarios', {
      name: `Scenario ${String(number).padStart(3, '0')}`,
      category: 'emergency',
      approved: true,
      content: {
        script: 'You have had chest pain for two hours. You take aspirin. You are not allergic to anything.',
        demographics: { age: 61, gender: 'female' },
        chief_complaint: 'My chest hurts.',
      },
      rubric_criteria: [CALLS_AMBULANCE],
      tags: ['test'],
      ...fields,
    });
    if (status !== 201) throw new Error(`The scenario was not created: ${status} ${JSON.stringify(body)}`);
    ids.push(String(body.scenario_id));
  }
  return ids;
}

/** Polls a run as a client would, until its status is final. */
export async function untilFinal(api: ApiClient, id: string, withinMs = 60_000): Promise<Answer['body']> {
  const start = performance.now();
  for (;;) {
    const { body } = await api.get(`/api/v1/tests/${id}`);
    if (['completed', 'failed', 'canceled'].includes(body.status)) return body;
    if (performance.now() > start + withinMs) throw new Error(`The run is not final in time: ${JSON.stringify(body)}`);
    await beforeNextLook(performance.now() - start);
  }
}

export async function scenarioRunsOf(api: ApiClient, id: string): Promise<Answer['body'][]> {
  const { body } = await api.get(`/api/v1/scenario-runs?test_run_id=${id}&limit=100`);
  return body.results;
}
