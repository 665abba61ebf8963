import { randomUUID } from 'node:crypto';
import { EventLogStore, type LogHead } from '../../../src/features/stream/event-log.store';
import { ShownMarksStore } from '../../../src/features/shown-marks/shown-marks.store';
import { BY_NOTICE_ALONE, BY_POLLS, eventStreamsOf } from '../../setup/event-streams';
import { eventually } from '../../setup/eventually';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { finished, said, started, upTo } from '../../setup/written-runs';

const WITHIN_MS = 5_000;

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());
const open = eventStreamsOf(() => runs);

/** Cannot keep what was shown to whom while the database is away. */
class AwayMarks extends ShownMarksStore {
  isAway = true;
  asked = 0;

  override add(...showings: Parameters<ShownMarksStore['add']>): Promise<void> {
    this.asked += 1;
    return this.isAway ? Promise.reject(new Error('The database is away.')) : super.add(...showings);
  }
}

/** Finds no run the first time: it looked before the run was there, or after it was deleted. */
class LateLog extends EventLogStore {
  private looked = false;

  override async heads(testRunIds: readonly string[]): Promise<Map<string, LogHead>> {
    if (this.looked) return super.heads(testRunIds);
    this.looked = true;
    return new Map();
  }
}

const shownOf = (runId: string) =>
  runs.database.query('SELECT caller, what FROM shown_marks WHERE test_run_id = $1', [runId]);

describe('GET /events', () => {
  it.each<[string, string, string | undefined, number]>([
    ['', 'no header', undefined, 0],
    ['&last_event_id=2', 'no header', undefined, 2],
    ['', 'a header', '2', 2],
    ['&last_event_id=3', 'a header, which wins,', '0', 0],
    ['&last_event_id=2', 'an empty header, which is none,', '', 2],
  ])('with query "%s" and %s goes on after the last event that the client has', async (query, _what, header, after) => {
    const { createRun, write, connect } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    await write(id, started, said(1), said(2), finished);
    const client = await connect(id, header, query);
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(4, after));
  });

  it.each(['abc', '-1', '1.5', '1, 2', 'x1', '1234567890123456'])(
    'refuses %s for the last event: it is the id of none',
    async (header) => {
      const { createRun, connect, streams } = await open();
      const client = await connect((await createRun()).id, header);
      expect(client.status).toBe(400);
      expect(await client.body()).toEqual({
        error: 'Last-Event-ID: expected the id of an event of this run, a whole number',
      });
      expect(streams.size).toBe(0);
    },
  );

  it('refuses an event that the run does not have yet, and goes on after its newest', async () => {
    const { createRun, write, connect, publish } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    await write(id, started, said(1));
    const early = await connect(id, 3);
    expect(early.status).toBe(400);
    expect(await early.body()).toEqual({ error: 'Last-Event-ID: this run has no event 3 yet, the newest is 2' });
    const client = await connect(id, 2);
    expect(client.status).toBe(200);
    publish(...(await write(id, finished)));
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual([3]);
  });

  it('says by 204 that nothing comes after the final event, so that an EventSource stops', async () => {
    const { createRun, write, connect } = await open();
    const { id } = await createRun();
    await write(id, started, finished);
    const over = await connect(id, 2);
    expect(over.status).toBe(204);
    expect(await over.ended).toBe(true);
    const one = await connect(id, 1);
    expect(one.status).toBe(200);
    expect(await one.ended).toBe(true);
    expect(one.ids).toEqual([2]);
  });

  it('answers HEAD with the headers alone, and has shown nothing', async () => {
    const { createRun, write, urlOf, streams, slots } = await open();
    const { id } = await createRun();
    await write(id, started);
    for (const runId of [id, randomUUID()]) {
      const answer = await fetch(urlOf(runId), { method: 'HEAD' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      expect(await answer.text()).toBe('');
    }
    expect(streams.size).toBe(0);
    await eventually(() => expect(slots.inUse).toBe(0), WITHIN_MS);
    expect(await shownOf(id)).toEqual([]);
  });

  it('takes nobody on while the service stops', async () => {
    const { createRun, connect, streams } = await open();
    const { id } = await createRun();
    expect(streams.open).toBe(true);
    streams.beforeApplicationShutdown();
    expect(streams.open).toBe(false);
    for (const runId of [id, randomUUID()]) {
      const client = await connect(runId);
      expect(client.status).toBe(503);
      expect(await client.body()).toEqual({ error: 'The service is shutting down' });
    }
  });

  it('takes a slot before it looks at anything, and gives it back when the client has left', async () => {
    const { createRun, connect, slots } = await open({ maxStreams: 1 });
    const { id } = await createRun();
    const first = await connect(id);
    const second = await connect(id, 'no id');
    expect(second.status).toBe(503);
    expect(second.response.headers['retry-after']).toBe('5');
    first.close();
    await eventually(() => expect(slots.inUse).toBe(0), WITHIN_MS);
    expect((await connect(id)).status).toBe(200);
  });

  it('keeps whom the marks of the run are shown to, also of one that is waited for', async () => {
    const caller = { id: 'key 1', name: 'wall', role: 'viewer' } as const;
    const { createRun, write, connect } = await open({ caller, times: BY_POLLS });
    const shown = [{ caller: 'wall', what: 'marks' }];
    const { id } = await createRun();
    await connect(id);
    expect(await shownOf(id)).toEqual(shown);
    const later = randomUUID();
    const waiting = await connect(later);
    await createRun(later);
    await write(later, started);
    await eventually(() => expect(waiting.ids).toEqual([1]), WITHIN_MS);
    expect(await shownOf(later)).toEqual(shown);
  });

  it('sends nothing of a run while that cannot be kept', async () => {
    const marks = new AwayMarks(runs.database);
    const { createRun, write, connect } = await open({ marks, times: BY_POLLS });
    const { id } = await createRun();
    const refused = await connect(id);
    expect(refused.status).toBe(500);
    const later = randomUUID();
    const waiting = await connect(later);
    await createRun(later);
    await write(later, started, finished);
    const { asked } = marks;
    await eventually(() => expect(marks.asked).toBeGreaterThan(asked + 1), WITHIN_MS);
    expect(waiting.messages).toHaveLength(1);
    marks.isAway = false;
    expect(await waiting.ended).toBe(true);
    expect(waiting.ids).toEqual([1, 2]);
  });

  it('waits for a run whose log is not found yet', async () => {
    const { createRun, write, connect } = await open({ eventLog: new LateLog(runs.database), times: BY_POLLS });
    const { id } = await createRun();
    await write(id, started, finished);
    const client = await connect(id);
    expect(await client.ended).toBe(true);
    expect(client.messages[0]?.data).toEqual({ type: 'connected', run_id: id, run: null });
    expect(client.ids).toEqual([1, 2]);
  });
});
