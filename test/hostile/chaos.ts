import type { Chance } from '../soak/chance';
import { familyOf, type HostileText } from './hostile-text';

/** Random code points of all planes, and random parts of the other texts behind each other. */
export function chaos(chance: Chance, others: readonly HostileText[]): HostileText[] {
  const texts: Record<string, string> = {};
  for (let number = 1; number <= 20; number += 1) {
    texts[`units ${number}`] = Array.from({ length: 4_000 }, () => String.fromCharCode(chance.between(0, 0xffff))).join(
      '',
    );
    texts[`code points ${number}`] = Array.from({ length: 4_000 }, () =>
      String.fromCodePoint(chance.between(0, 0x10ffff)),
    ).join('');
    texts[`parts ${number}`] = Array.from({ length: 12 }, () => part(chance, others)).join(' Call an ambulance. ');
  }
  return familyOf('chaos', texts);
}

function part(chance: Chance, others: readonly HostileText[]): string {
  const text = others[chance.between(0, others.length - 1)]?.text ?? '';
  const from = chance.between(0, text.length);
  return text.slice(from, from + chance.between(1, 3_000));
}
