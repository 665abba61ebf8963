import type { Cluster } from '../cluster/cluster';
import type { OutsideCall } from './world';

/** A run as its rows tell it. */
interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly total_scenarios: number;
  readonly max_turns: number;
  readonly last_seq: number;
  readonly error_message: string | null;
}

interface ScenarioRow {
  readonly id: string;
  readonly words: string;
  readonly status: string;
  readonly attempt: number;
  readonly error_message: string | null;
  readonly turns: readonly { readonly turn: number; readonly in_doubt: boolean; readonly reply: string }[];
}

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly scenario_run_id: string | null;
  readonly turn: number | null;
}

/** A call that comes this late after its turn was recorded was not under way before. */
const ON_ITS_WAY_MS = 250;

const END_OF_RUN: Readonly<Record<string, string>> = {
  completed: 'test_run_complete',
  failed: 'test_run_failed',
  canceled: 'test_run_canceled',
};
const END_OF_SCENARIO: Readonly<Record<string, string>> = {
  passed: 'scenario_complete',
  failed: 'scenario_complete',
  error: 'scenario_error',
  canceled: 'scenario_canceled',
};

/** Every run that was started under a name, also those whose start nobody was told of. */
export async function findRuns(cluster: Cluster, name: string): Promise<RunRow[]> {
  return cluster.query<RunRow>(
    `SELECT id, name, status, total_scenarios, max_turns, last_seq::int AS last_seq, error_message
     FROM test_runs WHERE name = $1 ORDER BY created_at`,
    [name],
  );
}

export function isFinal({ status }: { readonly status: string }): boolean {
  return status in END_OF_RUN;
}

/** What is wrong with a run that has ended, by its rows, its events, what the service says and what the agents heard. */
export async function checkRun(
  cluster: Cluster,
  run: RunRow,
  calls: readonly OutsideCall[],
  wasRepeated: boolean,
): Promise<string[]> {
  const [scenarios, events] = await Promise.all([readScenarios(cluster, run.id), readEvents(cluster, run.id)]);
  const wrong = [
    ...checkScenarios(run, scenarios),
    ...checkEvents(run, scenarios, events),
    ...(await checkAnswers(cluster, run, scenarios)),
    // The same words in two runs: nobody can tell whose call it was.
    ...(wasRepeated ? [] : checkCalls(scenarios, events, calls)),
  ];
  return wrong.map((what) => `run ${run.name}: ${what}`);
}

function checkScenarios(run: RunRow, scenarios: readonly ScenarioRow[]): string[] {
  const wrong: string[] = [];
  if (scenarios.length !== run.total_scenarios)
    wrong.push(`${scenarios.length} of ${run.total_scenarios} scenario runs`);
  for (const { words, status, turns, error_message } of scenarios) {
    if (!(status in END_OF_SCENARIO)) wrong.push(`${words} is ${status}`);
    // Neither the agents nor the models ever fail.
    if (status === 'error' || status === 'failed') wrong.push(`${words} is ${status}: ${error_message}`);
    if (status === 'canceled' && run.status !== 'canceled') wrong.push(`${words} is canceled, its run ${run.status}`);
    if (status === 'passed' && turns.length !== run.max_turns)
      wrong.push(`${words} passed after ${turns.length} turns`);
    for (const [at, { turn, reply }] of turns.entries()) {
      if (turn !== at + 1) wrong.push(`${words} has turn ${turn} at place ${at + 1}`);
      if (!reply.includes(`reply ${turn} in ${words}.`)) wrong.push(`${words} has another reply in turn ${turn}`);
    }
  }
  return wrong;
}

function checkEvents(run: RunRow, scenarios: readonly ScenarioRow[], events: readonly EventRow[]): string[] {
  const wrong: string[] = [];
  const gap = events.find(({ seq }, at) => seq !== at + 1);
  if (gap !== undefined || events.length !== run.last_seq) {
    wrong.push(`its ${events.length} events are not numbered from 1 to ${run.last_seq}`);
  }
  const ends = events.filter(({ type }) => Object.values(END_OF_RUN).includes(type));
  if (ends.length !== 1 || events.at(-1)?.type !== END_OF_RUN[run.status]) {
    wrong.push(`it is ${run.status} and ends with [${ends.map(({ type }) => type).join(', ')}]`);
  }
  if (events.filter(({ type }) => type === 'test_run_started').length > 1) wrong.push('it started more than once');
  for (const { id, words, status, turns } of scenarios) {
    const own = events.filter((event) => event.scenario_run_id === id);
    const verdicts = own.filter(({ type }) => Object.values(END_OF_SCENARIO).includes(type));
    if (verdicts.length !== 1 || verdicts[0]?.type !== END_OF_SCENARIO[status]) {
      wrong.push(`${words} is ${status} and ends with [${verdicts.map(({ type }) => type).join(', ')}]`);
    }
    const told = own.filter(({ type }) => type === 'transcript_update').map(({ turn }) => turn);
    if (told.join() !== turns.map(({ turn }) => turn).join()) wrong.push(`${words} was told of turns ${told.join()}`);
  }
  return wrong;
}

/** Each process says the same, and it is what the rows say. */
async function checkAnswers(cluster: Cluster, run: RunRow, scenarios: readonly ScenarioRow[]): Promise<string[]> {
  const count = (...statuses: string[]) => scenarios.filter(({ status }) => statuses.includes(status)).length;
  const expected = [run.status, count('passed'), count('failed'), count('error'), count('canceled')].join();
  const wrong: string[] = [];
  for (const [number, { process }] of cluster.members.entries()) {
    const { body } = await process.api.get(`/api/v1/tests/${run.id}`);
    const said = [body.status, body.passed_count, body.failed_count, body.error_count, body.canceled_count].join();
    if (said !== expected) wrong.push(`process ${number} says ${said}, the rows ${expected}`);
  }
  return wrong;
}

/** Invariant 5: what was recorded is not sent again, and what may have been sent twice is marked as in doubt. */
function checkCalls(
  scenarios: readonly ScenarioRow[],
  events: readonly EventRow[],
  calls: readonly OutsideCall[],
): string[] {
  const wrong: string[] = [];
  for (const { id, words, attempt, turns } of scenarios) {
    const sent = calls.filter((call) => call.scenario === words && call.to === 'agent');
    for (const { turn, in_doubt } of turns) {
      const ofTurn = sent.filter((call) => call.turn === turn);
      const recorded = events.find((event) => event.scenario_run_id === id && event.turn === turn);
      const late = ofTurn.filter(({ at }) => recorded !== undefined && at > recorded.at + ON_ITS_WAY_MS);
      if (late.length > 0) wrong.push(`${words} sent turn ${turn} ${late.length} times after it was recorded`);
      if (ofTurn.length === 0) wrong.push(`${words} never sent turn ${turn}`);
      if (ofTurn.length > 1 && !in_doubt) wrong.push(`${words} sent turn ${turn} ${ofTurn.length} times, not in doubt`);
    }
    const most = Math.max(0, ...sent.map(({ turn }) => turn));
    if (most > turns.length + 1) wrong.push(`${words} sent turn ${most} with ${turns.length} recorded`);
    if (sent.length > turns.length + attempt)
      wrong.push(`${words} sent ${sent.length} messages in ${attempt} attempts`);
  }
  return wrong;
}

async function readScenarios(cluster: Cluster, runId: string): Promise<ScenarioRow[]> {
  return cluster.query<ScenarioRow>(
    `SELECT s.id, substring(s.scenario_name from 'h[0-9]+r[0-9]+x[0-9]+') AS words, s.status, s.attempt, s.error_message,
            (SELECT coalesce(json_agg(json_build_object('turn', t.turn, 'reply', t.agent_message,
                      'in_doubt', coalesce((t.metadata->>'in_doubt')::boolean, false)) ORDER BY t.turn), '[]')
             FROM turns t WHERE t.scenario_run_id = s.id) AS turns
     FROM scenario_runs s WHERE s.test_run_id = $1 ORDER BY s.position`,
    [runId],
  );
}

async function readEvents(cluster: Cluster, runId: string): Promise<EventRow[]> {
  return cluster.query<EventRow>(
    `SELECT seq::int AS seq, type, (extract(epoch FROM at) * 1000)::float8 AS at, fields->>'scenario_run_id' AS scenario_run_id,
            (fields->>'turn')::int AS turn
     FROM run_log WHERE test_run_id = $1 ORDER BY seq`,
    [runId],
  );
}
