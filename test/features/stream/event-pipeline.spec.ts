import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunEvent } from '../../../src/domain/run-events';
import { type Bus, BusError, subjects } from '../../../src/engine/bus/bus';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { createLog } from '../../../src/platform/config/log';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { outliveSubscribers } from '../../../src/start/outlive-subscribers';
import { publication } from '../../../src/features/stream/event-pipeline';
import { eventually } from '../../setup/eventually';

const RUN = '00000000-0000-4000-8000-000000000001';
const envelope = (seq: number) => ({ run_id: RUN, seq, at: '2026-03-14T09:26:53.000Z' });
const spoke = (seq: number, patient_message: string, agent_message: string): RunEvent => ({
  type: 'transcript_update',
  scenario_run_id: RUN,
  turn: seq,
  patient_message,
  agent_message,
  latency_ms: 1,
  ...envelope(seq),
});
const failed = (seq: number, error: string): RunEvent => ({
  type: 'scenario_error',
  scenario_run_id: RUN,
  scenario_id: RUN,
  error_code: 'internal',
  error,
  counts: { passed: 0, failed: 0, error: 1, canceled: 0, total: 1 },
  ...envelope(seq),
});
const named = (seq: number, scenario_name: string): RunEvent => ({
  type: 'scenario_started',
  scenario_run_id: RUN,
  scenario_id: RUN,
  scenario_name,
  trial: 1,
  attempt: 1,
  ...envelope(seq),
});
const pointer = (seq: number) => ({ run_id: RUN, seq, type: 'stored' });

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Committed events, and what is heard of them on the bus. */
function publish(bus: Bus) {
  const lines: string[] = [];
  const committed = new CommittedEvents();
  const log = createLog('error', { write: (line) => lines.push(line) });
  const heard: unknown[] = [];
  bus.subscribe(subjects.testRunEvent(RUN), (payload) => heard.push(payload));
  const publishing = publication(committed.stream, bus, log).subscribe();
  cleanups.push(
    () => bus.close(),
    () => publishing.unsubscribe(),
  );
  return { committed, heard, lines };
}

test('a small event travels as it is, one of any type with a long text as a pointer to the log', async () => {
  const { committed, heard, lines } = publish(new InProcessBus());
  const long = 'x'.repeat(4_000_000);
  committed.publish([
    spoke(1, 'Hello', 'Hi'),
    failed(2, long),
    named(3, long),
    spoke(4, 'Hello', '\u0000'.repeat(1_000_000)),
  ]);
  committed.publish([failed(5, 'Too bad.')]);
  await nextTurn();
  expect(heard).toEqual([spoke(1, 'Hello', 'Hi'), pointer(2), pointer(3), pointer(4), failed(5, 'Too bad.')]);
  expect(lines).toEqual([]);
});

test('an event is as long as its texts together: one with more than 128 Ki characters is pointed to, on any bus', async () => {
  const { committed, heard } = publish(new InProcessBus());
  const half = 'x'.repeat(64 * 1024);
  const letters = (event: RunEvent) =>
    Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
  const rest = letters(spoke(1, half, ''));
  const longest = spoke(1, half, 'x'.repeat(128 * 1024 - rest));
  committed.publish([longest, spoke(2, half, 'x'.repeat(128 * 1024 - rest + 1))]);
  await nextTurn();
  expect(heard).toEqual([longest, pointer(2)]);
});

/** A bus that takes some messages and not others, as one on a server with limits of its own would. */
class PickyBus extends InProcessBus {
  constructor(private readonly refusal: (payload: unknown) => BusError | null) {
    super();
  }

  override publish(subject: string, payload: unknown): void {
    const refusal = this.refusal(payload);
    if (refusal !== null) throw refusal;
    super.publish(subject, payload);
  }
}

test('what a bus refuses to carry is pointed to', async () => {
  const bus = new PickyBus((payload) =>
    JSON.stringify(payload).length > 600 ? new BusError('payload_too_large', 'Too large.') : null,
  );
  const { committed, heard } = publish(bus);
  committed.publish([failed(1, 'x'.repeat(1_000)), failed(2, 'Too bad.')]);
  await nextTurn();
  expect(heard).toEqual([pointer(1), failed(2, 'Too bad.')]);
});

test('an event that cannot be published at all is a line in the log and stops no other', async () => {
  const bus = new PickyBus((payload) =>
    JSON.stringify(payload).includes('Lost.') ? new BusError('unavailable', 'The bus is out of order.') : null,
  );
  const { committed, heard, lines } = publish(bus);
  committed.publish([failed(1, 'Lost.'), failed(2, 'Heard.')]);
  await nextTurn();
  expect(heard).toEqual([failed(2, 'Heard.')]);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ testRunId: RUN, seq: 1, error: { message: expect.any(String) } });
});

test('a subscriber that throws stops neither the process nor the others', async () => {
  const lines: string[] = [];
  outliveSubscribers(createLog('error', { write: (line) => lines.push(line) }));
  const committed = new CommittedEvents();
  const heard: number[] = [];
  committed.stream.subscribe(() => {
    throw new Error('A mistake.');
  });
  committed.stream.subscribe(({ seq }) => heard.push(seq));
  committed.publish([failed(1, 'One.'), failed(2, 'Two.')]);
  await eventually(() => expect(lines.length).toBe(2));
  expect(heard).toEqual([1, 2]);
});
