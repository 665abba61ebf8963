import type { SpokenTimeline } from '../../../contract/recordings';
import { lineDiff } from '../../domain';
import { isReadable, wordsOf } from '../../engine/measures';

type Pieces = NonNullable<SpokenTimeline['entries'][number]['account']>;

/**
 * The agent's own account of a reply beside what was heard of it, in pieces: words that both have, and words that differ. "50 mg" and
 * "fifty milligrams" are the same words.
 * @returns null where the texts are too long to be compared
 */
export function accountAgainst(sound: string, own: string, language: string): Pieces | null {
  if (!isReadable(own, sound)) return null;
  const [ofOwn, ofSound] = [tokensOf(own), tokensOf(sound)];
  const keyOf = (token: string): string => wordsOf(token, language).join(' ') || token.trim();
  const pieces: { own: string; sound: string; same: boolean }[] = [];
  let [takenOfOwn, takenOfSound] = [0, 0];
  const take = { own: () => ofOwn[takenOfOwn++] ?? '', sound: () => ofSound[takenOfSound++] ?? '' };
  for (const { kind } of lineDiff(ofOwn.map(keyOf), ofSound.map(keyOf))) {
    const same = kind === 'same';
    let last = pieces.at(-1);
    if (last === undefined || last.same !== same) pieces.push((last = { own: '', sound: '', same }));
    if (kind !== 'new') last.own += take.own();
    if (kind !== 'old') last.sound += take.sound();
  }
  const said = (text: string): string => wordsOf(text, language).join(' ');
  return pieces.map((piece, at) => {
    if (piece.same) return piece;
    // Beside its number "mg" is "milligrams", and by itself it is not.
    const around = pieces.slice(Math.max(0, at - 1), at + 2);
    const [own, heard] = [around.map((one) => one.own).join(''), around.map((one) => one.sound).join('')];
    return said(own) === said(heard) ? { ...piece, same: true } : piece;
  });
}

/** Words, each with the white space after it. */
function tokensOf(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? [];
}
