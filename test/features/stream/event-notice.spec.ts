import type { RunEvent } from '../../../src/domain/run-events';
import { readNotice } from '../../../src/features/stream/event-pipeline';

const RUN = '00000000-0000-4000-8000-000000000001';
const event: RunEvent = {
  type: 'scenario_error',
  scenario_run_id: RUN,
  error_code: 'internal',
  error: 'line\r\nnext } "quoted" \u2028 \\',
  scenario_id: RUN,
  counts: { passed: 0, failed: 0, error: 1, canceled: 0, total: 1 },
  run_id: RUN,
  seq: 7,
  at: '2026-03-14T09:26:53.000Z',
};

describe('a notice from the bus', () => {
  it('of an event is its whole text, with every field in its order', () => {
    const arrival = readNotice(event);
    expect(arrival).toMatchObject({ kind: 'event', frame: { seq: 7, final: false } });
    const bytes = arrival?.kind === 'event' ? arrival.frame.bytes.toString() : '';
    expect(bytes).toBe(`id: 7\ndata: ${JSON.stringify(event)}\n\n`);
  });

  it('of the last event of a run says so', () => {
    expect(readNotice({ ...event, type: 'test_run_canceled' })).toMatchObject({ frame: { final: true } });
  });

  it('of an event of a newer version is read too', () => {
    const { run_id, seq, at } = event;
    const arrival = readNotice({ type: 'new', more: { deep: [1] }, run_id, seq, at });
    const bytes = arrival?.kind === 'event' ? arrival.frame.bytes.toString() : '';
    expect(bytes).toContain(`data: {"type":"new","more":{"deep":[1]},"run_id":"${RUN}","seq":7,"at":"${at}"}`);
  });

  it('may only say which event is stored', () => {
    expect(readNotice({ run_id: RUN, seq: 7, type: 'stored' })).toEqual({ kind: 'stored', seq: 7 });
  });

  it.each([
    ['nothing', null],
    ['text', 'stored'],
    ['no number', { ...event, seq: undefined }],
    ['a number that no event has', { ...event, seq: 0 }],
    ['no time and no pointer', { ...event, at: undefined }],
    ['a pointer to nothing', { run_id: RUN, type: 'stored', seq: -1 }],
  ])('that is %s is left alone', (_what, payload) => {
    expect(readNotice(payload)).toBeUndefined();
  });
});
