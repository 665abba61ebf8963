import { spawnSync } from 'node:child_process';
import { LineThread } from '../../src/agents/media-stream/line-thread';
import { onLinesOf } from '../../src/agents/media-stream/timing/known-line';
import { SPOKEN_RATE } from '../../src/agents/voice/sound-clocks';
import { constructedVoice } from '../../src/agents/voice/timing/constructed-voice';
import type { KnownTurn } from '../../src/agents/voice/timing/known-agent-wire';
import { timeKnownAgents, type TimedTurn } from '../../src/agents/voice/timing/timing-check';
import { TargetGuard } from '../../src/platform/targets';
import { eventually } from '../setup/eventually';

/** Turns of an agent whose delays are known, on lines as Twilio Media Streams carries them. The agent is a process of its own. */
const lines = new LineThread();
afterAll(() => lines.close());

async function time(turns: readonly KnownTurn[], calls = 1): Promise<readonly (readonly (TimedTurn | null)[])[]> {
  const callAgent = onLinesOf(lines, TargetGuard.local());
  return timeKnownAgents({ callAgent, turns }, calls, new AbortController().signal);
}

test('an answer is as late as it was, on each of the lines that are held at once', async () => {
  const turns = [300, 800, 300].map((delayMs) => ({ delayMs, speechMs: 500, yieldsAfterMs: null }));
  const timed = (await time(turns, 2)).map((call) => call.filter((turn) => turn !== null));
  for (const call of timed) {
    expect(call.map(({ scriptedMs }) => scriptedMs)).toEqual([300, 800, 300]);
    for (const { scriptedMs, trueMs } of call) expect(trueMs).toBeGreaterThanOrEqual(scriptedMs - 5);
  }
  // An error in the arithmetic of the line is in every turn; a busy machine is late in one or the other.
  const errors = timed.flat().map(({ measuredMs, trueMs }) => Math.abs(measuredMs - trueMs));
  expect(Math.min(...errors)).toBeLessThan(40);
});

test('an agent that is interrupted stops when it says it does', async () => {
  const [[turn] = []] = await time([{ delayMs: 400, speechMs: 4_000, yieldsAfterMs: 300 }]);
  expect(turn?.trueYieldMs).toBeGreaterThanOrEqual(290);
  expect(turn?.yieldMs).toBeGreaterThan(250);
  expect(turn?.yieldMs).toBeLessThan(2_800);
});

test('the turn after an agent that stopped at once is a turn, and no rest of the interruption', async () => {
  const interrupted = { delayMs: 400, speechMs: 3_000, yieldsAfterMs: 0 };
  const [timed = []] = await time([interrupted, { delayMs: 300, speechMs: 500, yieldsAfterMs: null }]);
  expect(timed.map((turn) => turn?.scriptedMs)).toEqual([400, 300]);
});

test('agents that are called at once share a process, which ends with the last of them', async () => {
  const callAgent = onLinesOf(lines, TargetGuard.local());
  const never = new AbortController().signal;
  const turns = [{ delayMs: 300, speechMs: 500, yieldsAfterMs: null }];
  const begin = () => callAgent(turns, () => undefined, never);
  const [first, second] = [await begin(), await begin()];
  const shared = agentProcesses();
  expect(shared).toHaveLength(1);
  expect(first.agent.url).not.toBe(second.agent.url);
  await first.leave();
  // The other is still called, and answers.
  await second.call.say({ samples: constructedVoice(400, SPOKEN_RATE), interjection: null }, never);
  expect(await second.agent.answer(0, 15_000, never)).toMatchObject({ turn: 0 });
  expect(agentProcesses()).toEqual(shared);
  await second.leave();
  await eventually(() => expect(agentProcesses()).toEqual([]));
});

/** Those that this process has started. */
function agentProcesses(): string[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'known-agent'], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}
