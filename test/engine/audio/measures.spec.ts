import fc from 'fast-check';
import { countOf, spreadOf } from '../../../src/engine/audio/figures';
import { floorSharesOf, timeToEscalationMs, wordsAMinute } from '../../../src/engine/audio/floor-shares';
import {
  durationOf,
  overlapOf,
  unionOf,
  withoutShortGaps,
  type Interjection,
  type PatientTurn,
  type Stretch,
  type Timeline,
} from '../../../src/engine/audio/timeline';
import { turnTakingOf } from '../../../src/engine/audio/turn-taking';

const turn = (from: number, to: number, more: Partial<PatientTurn> = {}): PatientTurn => ({
  from,
  to,
  reliable: true,
  pauses: [],
  ...more,
});
const said = (from: number, to: number): Stretch => ({ from, to });
const interjection = (
  kind: Interjection['kind'],
  from: number,
  agentUnfinished: boolean | null = true,
  reliable = true,
): Interjection => ({ kind, from, to: from + 400, agentUnfinished, reliable });
const call = (parts: Partial<Timeline>): Timeline => ({
  start: 0,
  end: 60_000,
  turns: [],
  interjections: [],
  agent: [],
  ...parts,
});

describe('stretches', () => {
  const list = fc
    .array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 30 })), { maxLength: 8 })
    .map((pairs) => pairs.map(([from, length]) => said(from, from + length)));
  const covers = (stretches: readonly Stretch[], at: number) => stretches.some(({ from, to }) => from <= at && at < to);

  it('are united and overlap as their moments do', () => {
    fc.assert(
      fc.property(list, list, (some, others) => {
        const [one, other] = [unionOf(some), unionOf(others)];
        const both = overlapOf(one, other);
        for (let at = 0; at < 70; at += 1) {
          expect(covers(one, at)).toBe(covers(some, at));
          expect(covers(both, at)).toBe(covers(some, at) && covers(others, at));
        }
        one.slice(1).forEach(({ from }, at) => expect(from).toBeGreaterThan(one[at]?.to ?? 0));
        expect(durationOf(unionOf([...some, ...others]))).toBe(durationOf(one) + durationOf(other) - durationOf(both));
      }),
    );
  });

  it('are one across gaps below 0.3 s', () => {
    expect(withoutShortGaps([said(0, 100), said(399, 500), said(800, 900)])).toEqual([said(0, 500), said(800, 900)]);
  });
});

describe('figures', () => {
  it('of fewer than ten events have no rate', () => {
    expect(countOf(9, 9)).toEqual({ events: 9, hits: 9, rate: null });
    expect(countOf(10, 9)).toEqual({ events: 10, hits: 9, rate: 0.9 });
  });

  it('of durations are quantiles between order statistics', () => {
    expect(spreadOf([])).toEqual({ events: 0, p50: null, p95: null, max: null });
    expect(spreadOf([7])).toEqual({ events: 1, p50: 7, p95: 7, max: 7 });
    const spread = spreadOf([400, 100, 300, 200, 500]);
    expect(spread).toMatchObject({ events: 5, p50: 300, max: 500 });
    expect(spread.p95).toBeCloseTo(480, 9);
  });
});

describe('the answer to a turn', () => {
  const answer = (agent: Stretch[], ...turns: PatientTurn[]) => turnTakingOf(call({ turns, agent })).answers[0];

  it('is late by the time from the end of the turn to the first sound', () => {
    expect(answer([said(3_300, 5_000)], turn(1_000, 2_500))).toEqual({ kind: 'answered', latencyMs: 800 });
    expect(answer([said(2_500, 5_000)], turn(1_000, 2_500))).toEqual({ kind: 'answered', latencyMs: 0 });
    // The end of what it said before is no answer.
    expect(answer([said(0, 1_200), said(3_300, 5_000)], turn(1_000, 2_500))).toMatchObject({ latencyMs: 800 });
  });

  it('is premature inside the turn, also inside a pause of it, and then has no latency', () => {
    expect(answer([said(2_499, 5_000)], turn(1_000, 2_500))).toEqual({ kind: 'premature', at: 2_499 });
    expect(answer([said(1_500, 1_900), said(3_000, 4_000)], turn(1_000, 2_500))).toEqual({
      kind: 'premature',
      at: 1_500,
    });
  });

  it('is missing where the patient has to speak again, or to the end', () => {
    expect(answer([said(9_000, 9_500)], turn(1_000, 2_500), turn(8_000, 8_500))).toEqual({ kind: 'unanswered' });
    expect(answer([], turn(1_000, 2_500))).toEqual({ kind: 'unanswered' });
  });

  it('is none where the agent talks through all of the turn', () => {
    expect(answer([said(500, 4_000)], turn(1_000, 2_500))).toEqual({ kind: 'talked_through' });
  });

  it('is in no figure where the timing is unreliable', () => {
    const turns = [turn(1_000, 2_000, { reliable: false }), turn(5_000, 6_000)];
    const figures = turnTakingOf(call({ turns, agent: [said(2_900, 4_000), said(6_500, 7_000)] }));
    expect(figures.answers[0]).toEqual({ kind: 'unreliable' });
    expect(figures.responseLatency).toEqual({ events: 1, p50: 500, p95: 500, max: 500 });
    expect(figures.prematureStarts).toEqual({ events: 1, hits: 0, rate: null });
  });

  it('and the first word is timed from the moment the patient can be heard', () => {
    expect(turnTakingOf(call({ start: 200, agent: [said(1_100, 2_000)] })).timeToFirstWordMs).toBe(900);
    expect(turnTakingOf(call({ start: 200, agent: [said(100, 2_000)] })).timeToFirstWordMs).toBe(0);
    expect(turnTakingOf(call({})).timeToFirstWordMs).toBeNull();
  });
});

it('any agent that waits D after each turn has a latency of D', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ gap: fc.integer({ min: 1, max: 3_000 }), length: fc.integer({ min: 300, max: 9_000 }) }), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.integer({ min: 0, max: 4_000 }),
      (rounds, delay) => {
        const [turns, agent]: [PatientTurn[], Stretch[]] = [[], []];
        let at = 0;
        for (const { gap, length } of rounds) {
          // Longer than the gaps that are merged.
          turns.push(turn(at + gap + 300, at + gap + 300 + length));
          agent.push(said(at + gap + 300 + length + delay, at + gap + 300 + 2 * length + delay));
          at += gap + 300 + 2 * length + delay;
        }
        const { responseLatency, prematureStarts } = turnTakingOf(call({ turns, agent, end: at }));
        expect(responseLatency).toEqual({ events: rounds.length, p50: delay, p95: delay, max: delay });
        expect(prematureStarts.hits).toBe(0);
      },
    ),
  );
});

describe('pauses', () => {
  /** One turn a minute with a pause in its middle, into which the agent speaks or not. */
  const calls = (cases: readonly (readonly [scriptedMs: number, interrupts: boolean])[]) => {
    const turns = cases.map(([scriptedMs], at) => {
      const from = at * 60_000;
      const pause = { from: from + 1_000, to: from + 1_000 + scriptedMs, scriptedMs };
      return turn(from, from + 2_000 + scriptedMs, { pauses: [pause] });
    });
    const agent = turns.map(({ pauses, to }, at) => {
      const from = cases[at]?.[1] === true ? (pauses[0]?.to ?? 0) - 1 : to + 500;
      return said(from, from + 4_000);
    });
    return turnTakingOf(call({ turns, agent, end: cases.length * 60_000 }));
  };
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  it('are tolerated up to the longest through which the agent waits nine times in ten', () => {
    const figures = calls([
      ...times(10, [500, false] as const),
      ...times(9, [1_000, false] as const),
      [1_000, true],
      ...times(8, [2_000, false] as const),
      ...times(2, [2_000, true] as const),
      ...times(9, [3_000, false] as const),
    ]);
    expect(figures.pauseToleranceMs).toBe(1_000);
    expect(figures.pauses).toEqual([
      { scriptedMs: 500, tolerated: { events: 10, hits: 10, rate: 1 } },
      { scriptedMs: 1_000, tolerated: { events: 10, hits: 9, rate: 0.9 } },
      { scriptedMs: 2_000, tolerated: { events: 10, hits: 8, rate: 0.8 } },
      { scriptedMs: 3_000, tolerated: { events: 9, hits: 9, rate: null } },
    ]);
    expect(figures.prematureStarts).toEqual({ events: 39, hits: 3, rate: 3 / 39 });
  });

  it('say nothing where there are few', () => {
    expect(calls(times(9, [500, false])).pauseToleranceMs).toBeNull();
  });
});

describe('interruptions', () => {
  it('are yielded to when the sound ends, not when it pauses for breath', () => {
    const figures = turnTakingOf(
      call({
        interjections: [interjection('interruption', 4_000), interjection('interruption', 20_000)],
        agent: [said(1_000, 4_500), said(4_799, 4_900), said(16_000, 22_001)],
      }),
    );
    expect(figures.yield).toMatchObject({ events: 2, max: 2_001 });
    expect(figures.yield.p50).toBe((900 + 2_001) / 2);
    expect(figures.yieldedInTime).toEqual({ events: 2, hits: 1, rate: null });
  });

  it('that meet silence, or whose timing is unreliable, are no events', () => {
    const figures = turnTakingOf(
      call({
        interjections: [interjection('interruption', 4_000), interjection('interruption', 9_000, true, false)],
        agent: [said(1_000, 4_000), said(8_000, 9_500)],
      }),
    );
    expect(figures.yield.events).toBe(0);
    expect(figures.yieldedInTime.events).toBe(0);
  });
});

describe('a backchannel at 4 s', () => {
  const outcome = (agent: Stretch[], unfinished: boolean | null = true, turns: PatientTurn[] = []) => {
    const { backchannels, falseYields } = turnTakingOf(
      call({ agent, turns, interjections: [interjection('backchannel', 4_000, unfinished)] }),
    );
    return [Object.entries(backchannels).find(([, count]) => count > 0)?.[0], falseYields.hits, falseYields.events];
  };

  it.each<[string, Stretch[], (boolean | null)?, PatientTurn[]?]>([
    ['talked_through 0 1', [said(1_000, 5_001)]],
    ['talked_through 0 1', [said(1_000, 4_400), said(4_600, 9_000)]],
    ['paused_and_resumed 1 1', [said(1_000, 4_500), said(7_500, 9_000)]],
    ['gave_up 1 1', [said(1_000, 4_500), said(7_501, 9_000)]],
    ['gave_up 1 1', [said(1_000, 4_500)]],
    // The agent answers a turn, and does not resume.
    ['gave_up 1 1', [said(1_000, 4_500), said(7_000, 9_000)], true, [turn(5_500, 6_500)]],
    ['finished 0 1', [said(1_000, 4_500)], false],
    // Its text ends with a sentence, which it said after the pause.
    ['paused_and_resumed 1 1', [said(1_000, 4_500), said(6_000, 9_000)], false],
    ['unknown 0 0', [said(1_000, 4_500)], null],
    ['paused_and_resumed 1 1', [said(1_000, 4_500), said(6_000, 9_000)], null],
    ['missed 0 0', [said(1_000, 3_900)]],
  ])('%s', (expected, agent, unfinished = true, turns = []) => {
    expect(outcome(agent, unfinished, turns).join(' ')).toBe(expected);
  });
});

describe('shares of the floor', () => {
  it('are by who came second', () => {
    const shares = floorSharesOf(
      call({
        turns: [turn(0, 4_000)],
        interjections: [{ ...interjection('interruption', 8_000), to: 9_000 }],
        agent: [said(3_500, 8_500)],
      }),
    );
    expect(shares.talkOver).toEqual({ byAgent: 500 / 9_000, byPatient: 500 / 9_000 });
    expect(shares.agentTalkShare).toBe(0.5);
    expect(shares).toMatchObject({ agentMs: 5_000, patientMs: 5_000 });
  });

  it('do not count scripted pauses as speech', () => {
    const pauses = [{ from: 1_000, to: 3_000, scriptedMs: 2_000 }];
    expect(floorSharesOf(call({ turns: [turn(0, 4_000, { pauses })] })).patientMs).toBe(2_000);
    expect(floorSharesOf(call({})).talkOver).toBeNull();
    expect(floorSharesOf(call({})).agentTalkShare).toBeNull();
  });

  it.each<[string, Partial<Timeline>, Stretch[]]>([
    ['a late answer', { turns: [turn(0, 1_000)], agent: [said(5_001, 60_000)] }, [said(1_000, 5_001)]],
    ['an answer after 4 s', { turns: [turn(0, 1_000)], agent: [said(5_000, 60_000)] }, []],
    ['our own thinking', { turns: [turn(9_000, 60_000)], agent: [said(0, 1_000)] }, []],
    ['our late beginning', { turns: [turn(9_000, 60_000)] }, []],
    ['a scripted pause', { turns: [turn(0, 60_000, { pauses: [{ from: 1_000, to: 9_000, scriptedMs: 8_000 }] })] }, []],
    ['no greeting', { agent: [said(9_000, 60_000)] }, [said(0, 9_000)]],
    ['a stop in the middle', { agent: [said(0, 1_000), said(6_000, 60_000)] }, [said(1_000, 6_000)]],
    ['no answer', { turns: [turn(0, 1_000), turn(11_000, 60_000)] }, [said(1_000, 11_000)]],
    ['no answer to the end', { turns: [turn(0, 1_000)] }, [said(1_000, 60_000)]],
  ])('dead air: %s', (_, parts, expected) => {
    expect(floorSharesOf(call(parts)).deadAir).toEqual(expected);
  });

  it('words a minute are of speaking time', () => {
    expect(wordsAMinute(75, 30_000)).toBe(150);
    expect(wordsAMinute(0, 0)).toBeNull();
  });

  it('escalation is timed from the end of the red flag', () => {
    expect(timeToEscalationMs(said(1_000, 3_000), said(4_500, 6_000))).toBe(1_500);
    expect(timeToEscalationMs(said(5_000, 6_000), said(4_500, 5_000))).toBe(-1_500);
    expect(timeToEscalationMs(null, said(4_500, 5_000))).toBeNull();
  });
});
