import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { RunEventFields } from '../../machines/run-events';
import { chooseScenarios } from '../../demo/choose-scenarios';
import { followRun } from '../../demo/follow-run';
import { plainText } from '../../demo/plain-text';
import { passRateLine, resultsTable } from '../../demo/print-results';
import { startProgress } from '../../demo/progress';
import type { ScenarioRun, TestRun } from '../../demo/service-api';

const ID = '00000000-0000-4000-8000-000000000001';

describe('plain text', () => {
  it('keeps words and drops what a terminal would obey', () => {
    expect(plainText('\u001b[31mred\u001b[0m \u001b]0;title\u0007and\r\nnew\u009b2J lines\u202eolleh')).toBe(
      'red and new lines olleh',
    );
    expect(plainText('Grüße 👩‍⚕️, 38.5 °C')).toBe('Grüße 👩‍⚕️, 38.5 °C');
  });
});

describe('the scenarios of the demonstration', () => {
  it('are the demo ones and the first full one of each category', () => {
    const scenario = (scenario_id: string, category: string, scenario_type: string) => ({
      scenario_id,
      name: scenario_id,
      category,
      scenario_type,
    });
    const chosen = chooseScenarios([
      scenario('a', 'triage', 'demo'),
      scenario('b', 'triage', 'full'),
      scenario('c', 'triage', 'full'),
      scenario('d', 'pregnancy', 'full'),
      scenario('e', 'pregnancy', 'custom'),
    ]);
    expect(chosen.map(({ scenario_id }) => scenario_id)).toEqual(['a', 'b', 'd']);
  });
});

describe('the results', () => {
  const criterion = (text: string, points: number, decision: 'MET' | 'NOT MET', tags: string[] = []) => ({
    criterion: text,
    tags,
    decision,
    points: 0,
    max_points: points,
    rationale: '',
    evidence: [],
  });
  const run = (fields: Partial<ScenarioRun>): ScenarioRun => ({
    id: ID,
    test_run_id: ID,
    scenario_id: ID,
    scenario_name: 'Chest pain',
    status: 'passed',
    passed: true,
    score_percent: 87.5,
    total_points: 7,
    max_points: 8,
    grade_summary: null,
    criteria_results: [],
    error_code: null,
    error_message: null,
    attempt: 1,
    turns: 6,
    duration_ms: 10,
    started_at: null,
    completed_at: null,
    canceled_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    metadata: {},
    screenshot_url: null,
    ...fields,
  });
  const rowOf = (fields: Partial<ScenarioRun>): string =>
    stripVTControlCharacters(resultsTable([run(fields)], 140)).split('\n')[3] ?? '';

  it('show verdict, score and turns', () => {
    expect(rowOf({})).toMatch(/Chest pain .* passed .* 87\.5 % .* 6 /);
  });

  it('name the first missed criterion, and before it one that fails the scenario', () => {
    const asks = criterion('Asks about fever', 3, 'NOT MET');
    const tells = criterion('Tells the patient to go', 3, 'NOT MET', ['must_pass']);
    const met = criterion('Greets the patient', 1, 'MET');
    expect(rowOf({ criteria_results: [met, asks] })).toContain('Asks about fever');
    expect(rowOf({ criteria_results: [asks, tells] })).toContain('Tells the patient to go');
  });

  it('say of a criterion with negative points that it must not be met', () => {
    const avoided = criterion('Shouts', -3, 'NOT MET');
    const done = criterion('Recommends a double dose', -5, 'MET');
    expect(rowOf({ criteria_results: [avoided, done] })).toContain('must not: Recommends a double dose');
  });

  it('show why a scenario could not be examined, without the control characters of others', () => {
    const row = rowOf({
      status: 'error',
      score_percent: null,
      error_message: 'No \u001b[2Janswer',
      scenario_name: 'A\tB',
    });
    expect(row).toMatch(/A B .* error .* – .* No answer/);
  });

  it('end with the pass rate', () => {
    const counts = { pass_rate: 50, passed_count: 1, failed_count: 0, error_count: 1, total_scenarios: 2 } as TestRun;
    expect(stripVTControlCharacters(passRateLine(counts))).toBe(
      'Pass rate 50 % (1 passed, 0 failed, 1 ended in error of 2)',
    );
  });
});

describe('progress where there is no terminal', () => {
  it('is a line for each scenario that ends', () => {
    const output = new PassThrough();
    const progress = startProgress({
      totalScenarios: 2,
      turnsPerScenario: 6,
      output: Object.assign(output, { isTTY: false }),
    });
    const counts = { passed: 1, failed: 0, error: 0, canceled: 0, total: 2 };
    const of = { scenario_run_id: ID, scenario_id: ID };
    progress.show({ type: 'scenario_started', ...of, scenario_name: 'Chest pain', attempt: 1 });
    progress.show({ type: 'scenario_complete', ...of, status: 'passed', counts });
    progress.stop();
    expect(stripVTControlCharacters(String(output.read()))).toBe('  1/2 passed  Chest pain\n');
  });
});

describe('following a run', () => {
  const ended = { passed_count: 1, failed_count: 0, error_count: 0, canceled_count: 0, pass_rate: 100 };
  const started: RunEventFields = { type: 'test_run_started', total_scenarios: 1, scenarios_launched: 1 };
  const complete: RunEventFields = { type: 'test_run_complete', ...ended };

  /** An event stream whose answers are given, one a connection. */
  const serve = async (...answers: ((response: ServerResponse) => void)[]) => {
    const lastEventIds: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      lastEventIds.push(request.headers['last-event-id']?.toString());
      answers[lastEventIds.length - 1]?.(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      lastEventIds,
      close: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  };
  const message = (id: number, event: RunEventFields) =>
    `id: ${id}\ndata: ${JSON.stringify({ ...event, seq: id })}\n\n`;
  const stream = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\ndata: {"type":"connected"}\n\n');

  const follow = async (url: string, signal = new AbortController().signal) => {
    const seen: string[] = [];
    await followRun({ url, runId: ID, signal, onEvent: ({ type }) => seen.push(type) });
    return seen;
  };

  it('goes on where a broken connection ended, to the final event', async () => {
    const server = await serve(
      (response) => {
        stream(response);
        response.end(message(1, started));
      },
      (response) => {
        stream(response);
        response.write(message(2, complete));
      },
    );
    try {
      expect(await follow(server.url)).toEqual(['test_run_started', 'test_run_complete']);
      expect(server.lastEventIds).toEqual([undefined, '1']);
    } finally {
      server.close();
    }
  });

  it('fails when the stream is refused', async () => {
    const server = await serve((response) => response.writeHead(404).end());
    try {
      await expect(follow(server.url)).rejects.toThrow('refused with 404');
    } finally {
      server.close();
    }
  });

  it('ends with the reason it is given', async () => {
    const end = new AbortController();
    const server = await serve((response) => {
      stream(response);
      end.abort(new Error('enough'));
    });
    try {
      await expect(follow(server.url, end.signal)).rejects.toThrow('enough');
    } finally {
      server.close();
    }
  });
});
