import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '../../../src/domain/sound/g711';

const EVERY_CODE = Uint8Array.from({ length: 256 }, (_, code) => code);
const EVERY_SAMPLE = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768);

describe.each([
  { law: 'µ-law', encode: encodeMuLaw, decode: decodeMuLaw, largest: 32_124, bias: 132 },
  { law: 'A-law', encode: encodeALaw, decode: decodeALaw, largest: 32_256, bias: 0 },
])('G.711 $law', ({ law, encode, decode, largest, bias }) => {
  it('gives each code back that it decodes, but for the second zero of µ-law', () => {
    const again = encode(decode(EVERY_CODE));
    const changed = [...EVERY_CODE].filter((code) => again[code] !== code);
    expect(changed).toEqual(law === 'µ-law' ? [0x7f] : []);
  });

  it('rises with the sample, and is never off by more than half a step of its segment', () => {
    const decoded = decode(encode(EVERY_SAMPLE));
    let previous = -32_769;
    let worst = 0;
    decoded.forEach((value, at) => {
      const sample = EVERY_SAMPLE[at] ?? 0;
      if (value < previous) throw new Error(`${sample} is decoded below its predecessor`);
      previous = value;
      const within = Math.min(Math.abs(sample), largest);
      // A segment begins at 16 of its steps, of µ-law less the bias.
      worst = Math.max(worst, Math.abs(Math.abs(value) - within) / Math.max(8, (within + bias) / 32));
    });
    expect(worst).toBeLessThanOrEqual(1.01);
    expect(Math.max(...decode(EVERY_CODE))).toBe(largest);
    expect(Math.min(...decode(EVERY_CODE))).toBe(-largest);
  });
});

it('gives each sample the µ-law interval of table 2 in which it lies', () => {
  // Decision values at 14 bits: 0, 1, 3 … 31 in steps of 2, to 95 in steps of 4, and so on to 8159.
  const decisions = [0, 1];
  for (let segment = 0; segment < 8; segment += 1) {
    for (let step = segment === 0 ? 1 : 0; step < 16; step += 1)
      decisions.push((decisions.at(-1) ?? 0) + (2 << segment));
  }
  expect([decisions[16], decisions.at(-1), decisions.length]).toEqual([31, 8_159, 129]);
  const codes = encodeMuLaw(EVERY_SAMPLE);
  let interval = 0;
  for (let magnitude = 0; magnitude <= 32_767; magnitude += 1) {
    // At 16 bits each decision value is four times as large.
    while (interval < 127 && magnitude >= 4 * (decisions[interval + 1] ?? Infinity)) interval += 1;
    const positive = codes[32_768 + magnitude];
    const negative = codes[32_768 - magnitude];
    if (positive !== (~interval & 0xff)) throw new Error(`${magnitude} has code ${positive}`);
    if (magnitude > 0 && negative !== (~(0x80 | interval) & 0xff))
      throw new Error(`−${magnitude} has code ${negative}`);
  }
});

it('has the codes that the tables of the recommendation name', () => {
  // Table 2: the largest value is code 0x80, zero 0xff, and the first decision value of segment 8 (4063 of 14 bits) begins 0x8f.
  expect([...encodeMuLaw(Int16Array.of(32_767, 0, -32_768, 4_063 * 4, 4_063 * 4 - 4))]).toEqual([
    0x80, 0xff, 0x00, 0x8f, 0x90,
  ]);
  // Table 1, with the even bits inverted: the largest value is 0xaa, the first positive step 0xd5, the first negative one 0x55.
  expect([...encodeALaw(Int16Array.of(32_767, 0, -1, -32_768, 1_024 * 16, 1_024 * 16 - 16))]).toEqual([
    0xaa, 0xd5, 0x55, 0x2a, 0xa5, 0xba,
  ]);
});
