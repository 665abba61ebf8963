import fc from 'fast-check';
import { comparableWords, spokenText } from '../../../src/engine/audio';
import { someOf } from '../../setup/sample';

it.each([
  ['I take 50 mg of sertraline.', 'I take fifty milligrams of sertraline.'],
  ['50mg b.i.d.', 'fifty milligrams twice a day'],
  ['1 g p.r.n.', 'one gram when needed'],
  ['75 µg o.d.', 'seventy-five micrograms once a day'],
  ['0.5 mg', 'zero point five milligrams'],
  ['.5 mg', 'zero point five milligrams'],
  ['1,000 units', 'one thousand units'],
  ['Call 911 now.', 'Call nine one one now.'],
  ['Ring 999 or dial 112!', 'Ring nine nine nine or dial one one two!'],
  ['It went to 112.', 'It went to one hundred and twelve.'],
  ['My pulse is 112.', 'My pulse is one hundred and twelve.'],
  ['It was 120/80 mmHg', 'It was one hundred and twenty over eighty millimetres of mercury'],
  ['> 5 mg', 'more than five milligrams'],
  ['5 mg/day', 'five milligrams per day'],
  ['300 units/ml', 'three hundred units per millilitre'],
  ['5 mcg/kg/min', 'five micrograms per kilogram per minute'],
  ['5mg/5ml', 'five milligrams per five millilitres'],
  ['10 20 30 mg', 'ten twenty thirty milligrams'],
  ['5-10 mg', 'five to ten milligrams'],
  ['2–3 days', 'two to three days'],
  ['pain 7/10', 'pain seven out of ten'],
  ['1/2 a tablet', 'a half a tablet'],
  ['2½ tablets', 'two and a half tablets'],
  ['38.5 °C', 'thirty-eight point five degrees Celsius'],
  ['-5 °C', 'minus five degrees Celsius'],
  ['on 2026-03-21', 'on the twenty-first of March twenty twenty-six'],
  ['born in 1998', 'born in nineteen ninety-eight'],
  ['at 8:30 pm', 'at eight thirty p m'],
  ['at 08:00', "at eight o'clock"],
  ['a 45-year-old', 'a forty-five-year-old'],
  ['I am 45 years old', 'I am forty-five years old'],
  ['45yo, 45 y/o', 'forty-five year old, forty-five year old'],
  ['my 3-month-old', 'my three-month-old'],
  ['a 10-day course', 'a ten-day course'],
  ['12.5mg-25mg', 'twelve point five milligrams to twenty-five milligrams'],
  ['50 mg – 100 mg', 'fifty milligrams to one hundred milligrams'],
  ['24/7', 'twenty-four seven'],
  ['It is 50/50.', 'It is fifty fifty.'],
  ['20/20 and 20/200 vision', 'twenty twenty and twenty two hundred vision'],
  ['95/100', 'ninety-five out of one hundred'],
  ['12/10', 'twelve out of ten'],
  ['My pressure is 90/60', 'My pressure is ninety over sixty'],
  ['50/30 mmHg', 'fifty over thirty millimetres of mercury'],
  ['800/160 mg', 'eight hundred over one hundred and sixty milligrams'],
  ['911', 'nine one one'],
  ['Should I get 911?', 'Should I get nine one one?'],
  ['She called 999.', 'She called nine nine nine.'],
  ['911 ml', 'nine hundred and eleven millilitres'],
  ['1,911 or 911.5', 'one thousand nine hundred and eleven or nine hundred and eleven point five'],
  ['Between 8:30-9:30', 'Between eight thirty to nine thirty'],
  ['8am-5pm', 'eight a m to five p m'],
  ['q6h', 'every six hours'],
  ['the 3rd time', 'the third time'],
  ['020 7946 0958', 'zero two zero seven nine four six zero nine five eight'],
  ['**Bold** <b>text</b> 😀 [here](http://x.y)', 'Bold text here'],
  ['SpO2 < 92%', 'SpO two less than ninety-two percent'],
])('"%s" is spoken as "%s"', (written, spoken) => {
  expect(spokenText(written)).toBe(spoken);
});

it.each([
  ['50mg', 'fifty milligrams'],
  ['50 mg', '50mg'],
  ['120/80', 'one hundred twenty over eighty'],
  ['5 mg b.i.d.', 'Five milligrams, twice a day.'],
])('"%s" and "%s" are the same words', (one, other) => {
  expect(comparableWords(one)).toEqual(comparableWords(other));
});

it('tells fifteen from fifty', () => {
  expect(comparableWords('15 mg')).not.toEqual(comparableWords('50 mg'));
});

it('reads a hostile text of 200,000 characters in a bounded number of steps', () => {
  const pieces = ['<a', '[', '1/', '1,', '9-', '1 ', '.', '*', '12:', '1mg-', '8am-', '8:30-', '911 ', '1-a'];
  for (const piece of someOf(pieces, 4, 'hostile spoken text'))
    expect(spokenText(piece.repeat(200_000 / piece.length))).not.toMatch(/[0-9]/);
});

it('removes markup only in other languages', () => {
  expect(spokenText('**50 mg** am Tag', 'de')).toBe('50 mg am Tag');
});

it('leaves no digit in any text', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'0123456789.,/-:<> mg%°½ap+'), maxLength: 60 }),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const words = spokenText(text);
      expect(words).not.toMatch(/[0-9]/);
    }),
  );
});
