import { floorIsOursAt, holdsWords, isBrokenOffBy } from '../../../src/agents/voice/turn-end';

const said = { from: 0, to: 2_000 };
const interruption = { from: 4_000, to: 5_000, kind: 'interruption' as const };
const backchannel = { from: 4_000, to: 4_300, kind: 'backchannel' as const };

test.each([
  ['after an answer, a pause', null, [{ from: 3_000, to: 6_000 }], 7_200],
  [
    'between two sentences of it, from the last',
    null,
    [
      { from: 3_000, to: 4_000 },
      { from: 4_600, to: 6_000 },
    ],
    7_200,
  ],
  ['an agent that only spoke into the patient’s turn has its whole time', null, [{ from: 500, to: 900 }], 32_000],
  ['a click at the end of it leaves the agent its whole time, too', null, [{ from: 1_950, to: 2_050 }], 32_000],
  [
    'a click at the end of it and an answer',
    null,
    [
      { from: 1_950, to: 2_050 },
      { from: 9_000, to: 9_200 },
    ],
    10_400,
  ],
  ['one that began in it and stopped just after it may go on', null, [{ from: 1_500, to: 2_500 }], 5_700],
  ['one that began in it and went on has answered', null, [{ from: 1_500, to: 5_000 }], 6_200],
  ['an interruption that stopped it is answered', interruption, [{ from: 3_000, to: 4_700 }], 13_000],
  ['one that stopped it late, too', interruption, [{ from: 3_000, to: 5_900 }], 13_900],
  ['one that ends as it falls silent is answered, too', interruption, [{ from: 4_100, to: 5_000 }], 13_000],
  [
    'an answered interruption',
    interruption,
    [
      { from: 3_000, to: 4_700 },
      { from: 6_000, to: 8_000 },
    ],
    9_200,
  ],
  ['an interruption that was talked through', interruption, [{ from: 3_000, to: 9_000 }], 10_200],
  ['a backchannel that stopped it: it may go on', backchannel, [{ from: 3_000, to: 4_500 }], 7_700],
  ['a backchannel that did not', backchannel, [{ from: 3_000, to: 6_000 }], 7_200],
  [
    'one after which it went on',
    backchannel,
    [
      { from: 3_000, to: 4_500 },
      { from: 6_500, to: 9_000 },
    ],
    10_200,
  ],
  [
    'an interruption that is answered within two seconds has been answered',
    interruption,
    [
      { from: 3_000, to: 4_200 },
      { from: 5_100, to: 5_800 },
    ],
    7_000,
  ],
])('%s', (_name, interjection, heard, at) => {
  expect(floorIsOursAt({ said, interjection, heard, beginsMs: 30_000 })).toBe(at);
});

test.each([
  ['a cough while the patient speaks', [{ from: 500, to: 700 }], false],
  [
    'two of them',
    [
      { from: 500, to: 700 },
      { from: 1_000, to: 1_100 },
    ],
    false,
  ],
  ['a click at the end of the patient’s words', [{ from: 1_950, to: 2_050 }], false],
  ['words while the patient speaks', [{ from: 500, to: 900 }], true],
  ['a short answer', [{ from: 2_400, to: 2_600 }], true],
  [
    'a cough and words after it',
    [
      { from: 500, to: 700 },
      { from: 2_400, to: 2_600 },
    ],
    true,
  ],
])('%s', (_name, heard, expected) => {
  expect(holdsWords(heard, said)).toBe(expected);
});

test.each([
  ['by an interruption, whatever it did', interruption, [{ from: 3_000, to: 9_000 }], true],
  ['at a backchannel at which it fell silent', backchannel, [{ from: 3_000, to: 4_500 }], true],
  [
    'at one after which it went on after a while',
    backchannel,
    [
      { from: 3_000, to: 4_500 },
      { from: 6_500, to: 9_000 },
    ],
    true,
  ],
  ['not at one that it talked through', backchannel, [{ from: 3_000, to: 6_000 }], false],
])('an answer is broken off %s', (_, interjection, heard, isBroken) => {
  expect(isBrokenOffBy(interjection, heard)).toBe(isBroken);
});
