import { Chance } from '../soak/chance';
import { bombs } from './bombs';
import { chaos } from './chaos';
import { fences } from './fences';
import { floods } from './floods';
import { formulas } from './formulas';
import { frames } from './frames';
import type { HostileAnswer } from './hostile-answer';
import type { HostileText } from './hostile-text';
import { jsonTexts } from './json-texts';
import { markup } from './markup';
import { nesting } from './nesting';
import { sizes } from './sizes';
import { terminal } from './terminal';
import { unicode } from './unicode';
import { wire } from './wire';

/** Every hostile text; the same seed makes the same ones. */
export function hostileTexts(seed: string): readonly HostileText[] {
  const chance = new Chance(seed);
  const made = [
    ...sizes(),
    ...floods(chance),
    ...nesting(),
    ...unicode(),
    ...markup(),
    ...terminal(),
    ...frames(),
    ...jsonTexts(),
    ...formulas(),
    ...fences(),
  ];
  return [...made, ...chaos(chance, made)];
}

/** Every hostile answer of a server, beside those that carry a text in the shape of the agent's kind. */
export function hostileAnswers(): readonly HostileAnswer[] {
  return [...bombs(), ...wire()];
}
