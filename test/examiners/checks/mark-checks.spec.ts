import type { Check, ExaminedTurn } from '../../../src/domain';
import { checkedTurnsOf } from '../../../src/examiners/checks/checked-turn';
import { costOfChecks, markByChecks, type CheckMark } from '../../../src/examiners/checks/mark-checks';
import { HOSTILE_REPLIES, transcriptOf } from '../../setup/transcripts';

interface Due {
  readonly points?: number;
  readonly by_turn?: number;
}

function marked(check: unknown, turns: readonly ExaminedTurn[], due: Due = {}): CheckMark | undefined {
  const criterion = { index: 0, points: 5, ...due, check: check as Check };
  return markByChecks({ criteria: [criterion], turns: checkedTurnsOf(turns, true) })[0];
}

const CALLS = transcriptOf([
  'Hello. When did it start?',
  'I see. Please **call 999** now. Sit down.',
  'Is anybody with you?',
]);
const replies = (...said: string[]) => transcriptOf(said);

describe('A check of replies', () => {
  it('finds a text, whatever its capitals and marks of emphasis, and quotes the sentence', () => {
    expect(marked({ kind: 'contains', texts: ['Call 999'] }, CALLS)).toEqual({
      index: 0,
      kind: 'contains',
      decision: 'MET',
      rationale: 'Found in turn 2.',
      evidence: [{ turn: 2, quote: 'Please **call 999** now.' }],
      absentFrom: null,
    });
  });

  it('says of how many replies nothing was found in', () => {
    expect(marked({ kind: 'contains', texts: ['ibuprofen'] }, CALLS)).toMatchObject({
      decision: 'NOT MET',
      rationale: 'Not found in any of the 3 replies.',
      evidence: [],
      absentFrom: 3,
    });
  });

  it('wants one text, or all of them in one reply', () => {
    const texts = ['call 999', 'sit down', 'anybody'];
    expect(marked({ kind: 'contains', texts }, CALLS)).toMatchObject({ decision: 'MET' });
    expect(marked({ kind: 'contains', texts, need: 'all' }, CALLS)).toMatchObject({ decision: 'NOT MET' });
    expect(marked({ kind: 'contains', texts: texts.slice(0, 2), need: 'all' }, CALLS)).toMatchObject({
      decision: 'MET',
      evidence: [
        { turn: 2, quote: 'Please **call 999** now.' },
        { turn: 2, quote: 'Sit down.' },
      ],
    });
  });

  it('takes capitals and words for what they are when asked to', () => {
    const said = replies('I know nothing of it.');
    expect(marked({ kind: 'contains', texts: ['no'] }, said)).toMatchObject({ decision: 'MET' });
    expect(marked({ kind: 'contains', texts: ['no'], whole_words: true }, said)).toMatchObject({ decision: 'NOT MET' });
    expect(marked({ kind: 'contains', texts: ['NO'], case_sensitive: true }, said)).toMatchObject({
      decision: 'NOT MET',
    });
    expect(marked({ kind: 'contains', texts: ['ПЛЮС'], whole_words: true }, replies('да, плюс.'))).toMatchObject({
      decision: 'MET',
    });
  });

  it.each([
    ['hidden characters', 'Take ibu\u200bpro\u00adfen now.', 'ibuprofen'],
    ['a wrapped line', 'Call\n  an ambulance.', 'call an ambulance'],
    ['a typographic apostrophe', 'Don’t drive.', "don't drive"],
    ['an accent in another spelling', 'Une cafe\u0301ine.', 'caféine'],
    ['full-width digits', 'Call ９９９.', '999'],
    ['a joined pair before it', '🚑👩‍⚕️ call 999', 'call 999'],
  ])('looks through %s, and quotes what stands there', (_, reply, text) => {
    const mark = marked({ kind: 'contains', texts: [text] }, replies(reply));
    expect(mark).toMatchObject({ decision: 'MET', evidence: [{ turn: 1, quote: reply }] });
  });

  it('finds a pattern in time that grows with the reply, whatever the pattern', () => {
    const reply = `${'a'.repeat(100_000)}b`;
    const before = process.cpuUsage();
    for (const pattern of ['^(a+)+$', '(a|a)*c', '(.*)(.*)(.*)(.*)x', '(?:a?){30}a{30}c']) {
      expect(marked({ kind: 'regex', pattern }, replies(reply))).toMatchObject({ decision: 'NOT MET', absentFrom: 1 });
    }
    // Backtracking would take more than the age of the universe.
    expect(process.cpuUsage(before).user).toBeLessThan(60_000_000);
  });

  it('matches as flags say, across lines and next to astral characters', () => {
    const said = replies('🚑 Call\n112 now', 'no');
    expect(marked({ kind: 'regex', pattern: 'call.112' }, said)).toMatchObject({ decision: 'NOT MET' });
    expect(marked({ kind: 'regex', pattern: 'call.112', flags: 'is' }, said)).toMatchObject({ decision: 'MET' });
    expect(marked({ kind: 'regex', pattern: '^112', flags: 'm' }, said)).toMatchObject({ decision: 'MET' });
  });

  it('looks at the reply that it names', () => {
    const check = { kind: 'contains', texts: ['999'] };
    expect(marked({ ...check, turn: 2 }, CALLS)).toMatchObject({ decision: 'MET' });
    expect(marked({ ...check, turn: 1 }, CALLS)).toMatchObject({
      decision: 'NOT MET',
      absentFrom: 1,
      rationale: 'Not found in the reply in turn 1.',
    });
    expect(marked({ ...check, turn: 'last' }, CALLS)).toMatchObject({ decision: 'NOT MET', absentFrom: 1 });
    expect(marked({ ...check, turn: 'every' }, CALLS)).toMatchObject({
      decision: 'NOT MET',
      rationale: 'Not so in turns 1 and 3.',
    });
    expect(marked({ kind: 'regex', pattern: '.', turn: 'every' }, CALLS)).toMatchObject({ decision: 'MET' });
    expect(marked({ ...check, turn: 6 }, CALLS)).toMatchObject({
      decision: 'NOT MET',
      rationale: 'The conversation had no turn 6.',
    });
  });

  it('is due by a turn, but a fault at any time', () => {
    const check = { kind: 'contains', texts: ['999'] };
    expect(marked(check, CALLS, { by_turn: 2 })).toMatchObject({ decision: 'MET' });
    expect(marked(check, CALLS, { by_turn: 1 })).toMatchObject({
      decision: 'NOT MET',
      rationale: 'Done only in turn 2; it had to be done by turn 1.',
      absentFrom: null,
    });
    expect(marked(check, CALLS, { by_turn: 1, points: -5 })).toMatchObject({ decision: 'MET' });
  });

  it('quotes words that stand in hostile replies as they are', () => {
    for (const [, reply] of HOSTILE_REPLIES) {
      for (const check of [
        { kind: 'regex', pattern: '\\S' },
        { kind: 'contains', texts: ['a', 'x', '“', '🚑'] },
      ]) {
        const mark = marked(check, replies(reply));
        if (mark === undefined || !('evidence' in mark)) throw new Error('undecided');
        for (const { quote } of mark.evidence) expect(reply).toContain(quote);
      }
    }
  });
});

describe('A check of the shape of a reply', () => {
  const schema = {
    type: 'object',
    required: ['triage'],
    properties: { triage: { enum: ['now', 'later'] }, code: { pattern: '^(a+)+$' } },
  };
  const check = { kind: 'json_schema', schema };

  it.each([
    ['{"triage":"now"}', 'MET'],
    ['```json\n{"triage": "later"}\n```', 'MET'],
    ['{"triage":"never"}', 'NOT MET'],
    ['{}', 'NOT MET'],
    ['Sure! {"triage":"now"}', 'NOT MET'],
    ['', 'NOT MET'],
  ])('takes %j as %s', (reply, decision) => {
    expect(marked(check, replies(reply))).toMatchObject({ decision });
  });

  it('says what does not fit', () => {
    expect(marked(check, replies('{"triage":"never"}'))).toMatchObject({
      rationale: expect.stringContaining('/triage must be equal to one of the allowed values') as string,
    });
    expect(marked(check, replies('Hello.'))).toMatchObject({
      rationale: 'No fit: the reply in turn 1 (it is not JSON).',
    });
  });

  it('stands hostile replies', () => {
    const deep = '['.repeat(200_000);
    expect(marked(check, replies(deep))).toMatchObject({ decision: 'NOT MET' });
    const long = JSON.stringify({ triage: 'now', code: `${'a'.repeat(100_000)}b` });
    expect(marked(check, replies(long))).toMatchObject({ decision: 'NOT MET' });
    expect(marked(check, replies('{"__proto__":{"triage":"now"}}'))).toMatchObject({ decision: 'NOT MET' });
  });
});

describe('A limit', () => {
  const timed = (...ms: number[]): ExaminedTurn[] =>
    transcriptOf(ms.map(() => 'Hello.')).map((turn, at) => ({ ...turn, latencyMs: ms[at] ?? 0 }));
  const reporting = (...usage: (object | null)[]): ExaminedTurn[] =>
    timed(...usage.map(() => 5)).map((turn, at) => ({ ...turn, metadata: { agent: { usage: usage[at] } } }));

  it('of time is kept by every reply, or by as many as it says', () => {
    const turns = timed(900, 5120.3871, 1000, 1100);
    expect(marked({ kind: 'latency_ms', max: 6000 }, turns)).toMatchObject({ decision: 'MET' });
    expect(marked({ kind: 'latency_ms', max: 3000 }, turns)).toMatchObject({
      decision: 'NOT MET',
      rationale: 'The slowest reply, in turn 2, took 5,120.4 ms; the limit is 3,000 ms.',
      absentFrom: null,
    });
    expect(marked({ kind: 'latency_ms', max: 3000, percentile: 75 }, turns)).toMatchObject({
      decision: 'MET',
      rationale: 'Of the 4 replies, 75 % took up to 1,100 ms; the limit is 3,000 ms.',
    });
    expect(marked({ kind: 'latency_ms', max: 3000, percentile: 76 }, turns)).toMatchObject({ decision: 'NOT MET' });
  });

  it('of time is undecided where nothing was measured', () => {
    const elsewhere = timed(0, 0).map((turn) => ({ ...turn, latencyMs: null }));
    expect(marked({ kind: 'latency_ms', max: 1 }, elsewhere)).toEqual({
      index: 0,
      kind: 'latency_ms',
      undecided:
        'it is not known how long the agent took for any of its 2 replies, as of every conversation that was held elsewhere',
    });
  });

  it('of time is undecided where one reply was not measured, and none is taken for quick', () => {
    const turns = timed(900, 900).map((turn, at) => (at === 0 ? { ...turn, latencyMs: null } : turn));
    expect(marked({ kind: 'latency_ms', max: 1_000 }, turns)).toEqual({
      index: 0,
      kind: 'latency_ms',
      undecided: 'it is not known how long the agent took for 1 of its 2 replies',
    });
  });

  it('of tokens and dollars is that of all replies together', () => {
    const turns = reporting({ total_tokens: 40, cost: 0.1 }, { prompt_tokens: 10, completion_tokens: 5, cost: 0.2 });
    expect(marked({ kind: 'tokens', max: 55 }, turns)).toMatchObject({
      decision: 'MET',
      rationale: 'The agent reported 55 tokens for 2 replies; the limit is 55.',
    });
    expect(marked({ kind: 'tokens', max: 54 }, turns)).toMatchObject({ decision: 'NOT MET' });
    expect(marked({ kind: 'cost_usd', max: 0.3 }, turns)).toMatchObject({ decision: 'MET' });
    expect(marked({ kind: 'cost_usd', max: 0.29 }, turns)).toMatchObject({ decision: 'NOT MET' });
  });

  it.each([[{ kind: 'tokens', max: 1e9 }], [{ kind: 'cost_usd', max: 1e9 }]])(
    'is undecided, never kept, where a reply came without a report: %j',
    (check) => {
      const mark = marked(check, reporting({ total_tokens: 1, cost: 1 }, null, { total_tokens: -1, cost: 'free' }));
      expect(mark).toMatchObject({ undecided: expect.stringContaining('for 2 of its 3 replies') as string });
    },
  );
});

it('leaves a pattern undecided that another version took', () => {
  expect(marked({ kind: 'regex', pattern: '(?<=a)b' }, CALLS)).toMatchObject({
    undecided: expect.stringContaining('its pattern looks ahead or behind') as string,
  });
});

it('is read in a thread where a short reply and a pattern take long together', () => {
  const costOf = (check: Check): number =>
    costOfChecks({
      criteria: [{ index: 0, points: 1, check }],
      turns: checkedTurnsOf(transcriptOf(['a'.repeat(10_000)]), true),
    });
  // Beyond 60,000 it is not done on the event loop.
  expect(costOf({ kind: 'regex', pattern: 'call 999' })).toBeLessThan(60_000);
  expect(costOf({ kind: 'regex', pattern: '(?:\\p{L}?){490}\\d' })).toBeGreaterThan(60_000);
  expect(costOf({ kind: 'json_schema', schema: {} })).toBe(Infinity);
});

it('leaves a kind undecided that another version wrote', () => {
  expect(marked({ kind: 'sentiment' }, CALLS)).toMatchObject({
    undecided: 'this version knows no check of the kind sentiment',
  });
});
