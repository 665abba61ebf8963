import { eventText, isFinalEvent, readRunEvent } from '../../src/domain/run-events';

const ENVELOPE = { run_id: '11111111-1111-4111-8111-111111111111', seq: 7, at: '2026-01-01T00:00:00.000Z' };
const STARTED = { type: 'test_run_started', total_scenarios: 2, scenarios_launched: 2 };

describe('an event of a run', () => {
  it('is one line: its fields, then the envelope', () => {
    const text = eventText(JSON.stringify(STARTED, null, 2), ENVELOPE);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({ ...STARTED, ...ENVELOPE });
    expect(readRunEvent(text)).toEqual(STARTED);
  });

  it.each(['', 'not JSON', '[]', '{"type":"of_a_newer_service"}', '{"type":"test_run_started"}'])(
    'is not what %j says',
    (data) => {
      expect(readRunEvent(data)).toBeNull();
    },
  );

  it.each([
    ['test_run_complete', true],
    ['test_run_failed', true],
    ['test_run_canceled', true],
    ['test_run_started', false],
    ['of_a_newer_service', false],
  ])('%s ends the run: %s', (type, isFinal) => {
    expect(isFinalEvent(type)).toBe(isFinal);
  });
});
