import { ProviderError } from '../../../src/agents/errors';
import type { HeardSound } from '../../../src/agents/voice/call-floor';
import { constructedVoice } from '../../../src/agents/voice/timing/constructed-voice';
import type { KnownTurn } from '../../../src/agents/voice/timing/known-agent-wire';
import { StartedAgent } from '../../../src/agents/voice/timing/known-agents';
import {
  calibrationTurns,
  timeKnownAgents,
  type CallKnownAgent,
  type TimedTurn,
} from '../../../src/agents/voice/timing/timing-check';
import { HEARD_RATE } from '../../../src/agents/voice/sound-clocks';
import { QuietPlace } from '../../fakes/call-place';
import { unaborted } from '../provider.contract';

test('while its error is measured, an agent answers after each delay, and is interrupted every third time', () => {
  expect(calibrationTurns(7)).toEqual([
    { delayMs: 300, speechMs: 600, yieldsAfterMs: null },
    { delayMs: 800, speechMs: 600, yieldsAfterMs: null },
    { delayMs: 1_500, speechMs: 3_000, yieldsAfterMs: 0 },
    { delayMs: 3_000, speechMs: 600, yieldsAfterMs: null },
    { delayMs: 300, speechMs: 600, yieldsAfterMs: null },
    { delayMs: 800, speechMs: 3_000, yieldsAfterMs: 300 },
    { delayMs: 1_500, speechMs: 600, yieldsAfterMs: null },
  ]);
  expect(calibrationTurns(13)[8]).toMatchObject({ yieldsAfterMs: 600 });
  expect(calibrationTurns(13)[11]).toMatchObject({ yieldsAfterMs: 0 });
});

const TURN: KnownTurn = { delayMs: 800, speechMs: 600, yieldsAfterMs: null };
const INTERRUPTED: KnownTurn = { ...TURN, yieldsAfterMs: 300 };

/**
 * Calls in which everything lies in the past: each turn of the patient ends at −18 s, the agent is heard from −17 s, and says that it heard
 * the end at −17.95 s and spoke from −17.1 s.
 */
function callsWith(failing: (call: number, turn: number) => boolean = () => false, soundAfterMs = 0) {
  const left: number[] = [];
  const scripts: (readonly KnownTurn[])[] = [];
  const callAgent: CallKnownAgent = async (turns, onSound) => {
    const number = scripts.push(turns);
    let turn = 0;
    let isInterrupting = false;
    const place: QuietPlace = new QuietPlace((message) => {
      if (message.type !== 'say') return;
      if (isInterrupting) {
        isInterrupting = false;
        return place.said(message.utterance, -16_500, -16_100);
      }
      isInterrupting = turns[turn]?.yieldsAfterMs !== null;
      place.said(message.utterance, -20_000, -18_000);
      if (failing(number, turn)) return place.fail(new ProviderError('provider_timeout', 'Not heard.'));
      place.agentSpeaks(-17_000, -16_000);
      if (soundAfterMs === 0) sounds(place, onSound);
      else setTimeout(() => sounds(place, onSound), soundAfterMs);
      const at = (ms: number) => place.now + ms;
      agent.hear({
        type: 'answered',
        turn,
        heardEnd: at(-17_950),
        from: at(-17_100),
        to: at(-16_100),
        isReliable: true,
        interruptedAt: isInterrupting ? at(-16_450) : null,
        ...(turn === 0 ? {} : { heard: { pieces: 50, late: 1 } }),
      });
      turn += 1;
    });
    const agent = new StartedAgent(() => undefined);
    const call = await place.call(() => undefined);
    return { call, agent, leave: async () => void left.push(number) };
  };
  return { callAgent, left, scripts };
}

/** A second of silence and one of a voice, until −15 s. */
function sounds(place: QuietPlace, onSound: (sound: HeardSound) => void): void {
  onSound({ firstSample: 0, at: place.now - 18_000, samples: new Int16Array(HEARD_RATE) });
  onSound({ firstSample: HEARD_RATE, at: place.now - 17_000, samples: constructedVoice(1_000, HEARD_RATE) });
  onSound({ firstSample: 2 * HEARD_RATE, at: place.now - 16_000, samples: new Int16Array(HEARD_RATE) });
}

const near = (value: number | null | undefined, wanted: number): boolean => Math.abs((value ?? 0) - wanted) < 5;

test('each turn is measured beside what was, in every call', async () => {
  const { callAgent, left } = callsWith();
  const told: (TimedTurn | null)[] = [];
  const onTurn = (turn: TimedTurn | null): void => void told.push(turn);
  const check = { callAgent, turns: [TURN, INTERRUPTED], onTurn, warmUpMs: 0 };
  const [[plain, interrupted] = [], other] = await timeKnownAgents(check, 2, unaborted());
  expect(plain).toMatchObject({
    scriptedMs: 800,
    yieldMs: null,
    trueYieldMs: null,
    isReliable: true,
    heardPieces: null,
  });
  expect([near(plain?.trueMs, 850), near(plain?.measuredMs, 1_000)]).toEqual([true, true]);
  expect(interrupted).toMatchObject({ isReliable: true, heardPieces: { pieces: 50, late: 1 } });
  expect([near(interrupted?.yieldMs, 500), near(interrupted?.trueYieldMs, 350)]).toEqual([true, true]);
  expect(other).toHaveLength(2);
  expect(told).toHaveLength(4);
  expect(left.toSorted()).toEqual([1, 2]);
});

test('a turn that was not heard is told as such, and the next is taken in another call', async () => {
  const { callAgent, left, scripts } = callsWith((call, turn) => call === 1 && turn === 1);
  const turns = [TURN, TURN, { ...TURN, delayMs: 300 }];
  const [timed] = await timeKnownAgents({ callAgent, turns, warmUpMs: 0 }, 1, unaborted());
  expect(timed).toMatchObject([{ scriptedMs: 800 }, null, { scriptedMs: 300 }]);
  expect(scripts).toEqual([turns, [turns[2]]]);
  expect(left).toEqual([1, 2]);
});

test('three turns in a row that were not heard end it, and no fewer', async () => {
  const { callAgent, left } = callsWith((call) => call < 3);
  const told: boolean[] = [];
  const onTurn = (turn: TimedTurn | null): void => void told.push(turn !== null);
  const check = { callAgent, turns: Array.from({ length: 6 }, () => TURN), onTurn, warmUpMs: 0 };
  const lost = callsWith(() => true);
  await expect(timeKnownAgents({ ...check, callAgent: lost.callAgent }, 1, unaborted())).rejects.toMatchObject({
    message: 'Not heard.',
  });
  expect(told).toEqual([false, false]);
  expect(lost.left).toEqual([1, 2, 3]);
  told.length = 0;
  await timeKnownAgents(check, 1, unaborted());
  expect(told).toEqual([false, false, true, true, true, true]);
  expect(left).toEqual([1, 2, 3]);
});

test('a turn is measured once its sound has come', async () => {
  const { callAgent } = callsWith(() => false, 20);
  const [[turn] = []] = await timeKnownAgents({ callAgent, turns: [TURN], warmUpMs: 0 }, 1, unaborted());
  expect(near(turn?.measuredMs, 1_000)).toBe(true);
});

test('what fails otherwise than the agent ends it at once', async () => {
  const { callAgent, left } = callsWith();
  const check = {
    callAgent,
    turns: [TURN, TURN],
    onTurn: () => {
      throw new Error('full');
    },
    warmUpMs: 0,
  };
  await expect(timeKnownAgents(check, 1, unaborted())).rejects.toThrow('full');
  expect(left).toEqual([1]);
});

test('calls that were begun are ended where another cannot be', async () => {
  const { callAgent, left } = callsWith();
  let calls = 0;
  const failing: CallKnownAgent = (turns, onSound, signal) => {
    calls += 1;
    if (calls === 3) throw new ProviderError('connect_failed', 'No more.');
    return callAgent(turns, onSound, signal);
  };
  const check = { callAgent: failing, turns: [TURN], warmUpMs: 0 };
  await expect(timeKnownAgents(check, 3, unaborted())).rejects.toMatchObject({ message: 'No more.' });
  expect(left).toEqual([1, 2]);
});
