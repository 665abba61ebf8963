/** Numbers as the decimals people wrote, all multiplied by ten to the power of `decimals`: 0.1 + 0.2 is exactly 0.3. */
export interface Scaled {
  readonly integers: readonly bigint[];
  readonly decimals: number;
}

/** @throws RangeError for NaN and infinities. */
export function toScaled(values: readonly number[]): Scaled {
  const parsed = values.map(parseDecimal);
  const decimals = parsed.reduce((most, part) => Math.max(most, part.decimals), 0);
  return { integers: parsed.map((part) => part.digits * 10n ** BigInt(decimals - part.decimals)), decimals };
}

/** The number nearest to `integer` divided by ten to the power of `decimals`. */
export function fromScaled(integer: bigint, decimals: number): number {
  return Number(`${integer}e-${decimals}`);
}

/** Reads the shortest decimal that stands for a number: digits, and how many of them follow the point (may be negative). */
function parseDecimal(value: number): { digits: bigint; decimals: number } {
  if (!Number.isFinite(value)) throw new RangeError('Only finite numbers have a decimal form.');
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
}
