import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { RunEventFields } from '../../src/domain/run-events';
import { chooseScenarios } from '../../demo/choose-scenarios';
import { followRun } from '../../demo/follow-run';

const ID = '00000000-0000-4000-8000-000000000001';

describe('the scenarios of the demonstration', () => {
  it('are the demo ones and the first full one of each category', () => {
    const scenario = (scenario_id: string, category: string, scenario_type: string) => ({
      scenario_id,
      name: scenario_id,
      category,
      scenario_type,
      content: {},
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
