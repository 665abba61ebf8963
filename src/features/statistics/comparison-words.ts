import type { QuestionTest } from './comparison.view';

/** Of what a question is about, how much it moved; in words that claim no more than was seen. */
export function movementOf(test: QuestionTest): string {
  const { on, difference, before, after } = test;
  const [was, is, moved] = [before ?? 0, after ?? 0, difference ?? 0];
  if (on === 'must_pass') {
    if (Math.abs(moved) < LEAST_VIOLATIONS) return `must-pass violations were ${fine(was)} per conversation in both`;
    return `must-pass violations ${moved > 0 ? 'fell' : 'rose'} by ${fine(Math.abs(moved))} per conversation, from ${fine(was)} to ${fine(is)}`;
  }
  const what = on === 'passed' ? 'the pass rate' : 'the mean score';
  if (Math.abs(moved) >= LEAST_POINTS) {
    const ends = `from ${number(was)} to ${number(is)} %`;
    return `${what} ${moved > 0 ? 'rose' : 'fell'} by ${pointsText(Math.abs(moved))}, ${ends}`;
  }
  if (is === 0 && was === 0) return `${what} was 0 % before and could not fall`;
  return `${what} was ${number(was)} % before and ${number(is)} % after`;
}

/** What is not shown as 0. */
const LEAST_POINTS = 0.05;
const LEAST_VIOLATIONS = 0.005;

/** In the direction of the words: of violations what they rose by. */
export function intervalText({ on, low, high }: QuestionTest, confidencePercent: number): string {
  const [least, most] = on === 'must_pass' ? [-(high ?? 0), -(low ?? 0)] : [low ?? 0, high ?? 0];
  const text = on === 'must_pass' ? fine : number;
  return `${number(confidencePercent)} % interval ${text(least)} to ${text(most)}`;
}

/** Such as 0.0078, or `less than 0.0001`. */
export function pText(p: number): string {
  return p < 0.0001 ? 'less than 0.0001' : String(Number(p.toPrecision(2)));
}

function pointsText(value: number): string {
  return `${number(value)} ${number(value) === '1' ? 'point' : 'points'}`;
}

export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`;
}

/** One decimal at most, with a minus sign that is one. */
export function number(value: number): string {
  return signed(Math.round(value * 10) / 10);
}

/** Two decimals at most: violations per conversation are few. */
function fine(value: number): string {
  return signed(Math.round(value * 100) / 100);
}

function signed(rounded: number): string {
  return rounded < 0 ? `−${Math.abs(rounded)}` : String(Math.abs(rounded));
}
