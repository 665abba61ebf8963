/** What an agent takes for what it was told: numbers that sound alike, and medicines whose names do. */

/** Pairs from the Institute for Safe Medication Practices' list of confused drug names, and others that sound alike. */
const ALIKE: readonly (readonly [string, string])[] = [
  ['hydroxyzine', 'hydralazine'],
  ['metformin', 'metronidazole'],
  ['fentanyl', 'sufentanil'],
  ['warfarin', 'wafarin'],
  ['indapamide', 'indomethacin'],
];

/** Where a number is a dose, or a part of one. */
const DOSE = /\b(\d{1,4})(?=\s?(?:mg|g|ml|units?|milligrams?|micrograms?|millilitres?|grams?)\b)/g;

/** The text as it would be said by an agent that had misheard every dose and medicine in it. */
export function misheard(text: string): string {
  const renamed = ALIKE.reduce(
    (said, [one, other]) =>
      said.replace(new RegExp(`\\b(?:${one}|${other})\\b`, 'gi'), (name) => alike(name, one, other)),
    text,
  );
  return renamed.replace(DOSE, (digits) => String(likeNumber(Number(digits))));
}

function alike(name: string, one: string, other: string): string {
  const taken = name.toLowerCase() === one ? other : one;
  return /^[A-Z]/.test(name) ? taken[0]?.toUpperCase() + taken.slice(1) : taken;
}

/** Fifteen for fifty, fifty for fifteen, twelve for twenty. */
function likeNumber(value: number): number {
  const [rest, tens] = [value - (value % 100), value % 100];
  if (tens >= 13 && tens <= 19) return rest + (tens % 10) * 10;
  if (tens >= 30 && tens % 10 === 0) return rest + 10 + tens / 10;
  if (tens === 20) return rest + 12;
  if (tens === 0) return value + 50;
  return value + 2;
}
