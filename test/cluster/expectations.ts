import type { ApiClient } from '../setup/api-client';
import { GOOD_REPLY, scenarioRunsOf } from '../setup/examination';

export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly scenario_run_id?: string;
  readonly turn?: number;
  readonly attempt?: number;
}

/** The events of a run that has ended, as a subscriber that comes late gets them. */
export async function eventsOf(api: ApiClient, id: string): Promise<StoredEvent[]> {
  const { body } = await api.get(`/events?run_id=${id}`);
  return String(body)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as StoredEvent)
    .slice(1);
}

/** What must hold of a run that ended well, whatever happened to the processes that ran it. */
export async function expectWhole(api: ApiClient, id: string, scenarios: number, turns: number): Promise<void> {
  const { body: run } = await api.get(`/api/v1/tests/${id}`);
  expect(run).toMatchObject({ status: 'completed', passed_count: scenarios, error_count: 0, pass_rate: 100 });

  const results = await scenarioRunsOf(api, id);
  expect(results).toHaveLength(scenarios);
  for (const { id: scenarioRunId } of results) {
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRunId}`);
    const replies = body.transcript.filter((entry: { role: string }) => entry.role === 'agent');
    expect(replies.map((entry: { content: string }) => entry.content)).toEqual(
      Array.from({ length: turns }, (_, at) => replyTo(at + 1)),
    );
  }

  const events = await eventsOf(api, id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(events.filter(({ type }) => type === 'test_run_complete')).toHaveLength(1);
  const verdicts = events.filter(({ type }) => type === 'scenario_complete').map((event) => event.scenario_run_id);
  expect(verdicts).toHaveLength(scenarios);
  expect(new Set(verdicts).size).toBe(scenarios);
  const told = events
    .filter(({ type }) => type === 'transcript_update')
    .map((event) => `${event.scenario_run_id} ${event.turn}`);
  expect(told).toHaveLength(scenarios * turns);
  expect(new Set(told).size).toBe(told.length);
}

/** What the agents of these tests say to the patient's message of a turn. */
export function replyTo(turn: number): string {
  return `${GOOD_REPLY} Reply ${turn}.`;
}
