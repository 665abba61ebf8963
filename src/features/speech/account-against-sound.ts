import type { SpokenTimeline } from '../../../contract/recordings';
import { isReadable, wordsOf } from '../../engine/measures';

type Pieces = NonNullable<SpokenTimeline['entries'][number]['account']>;
/** An agent speaks for two minutes at most: three words a second are 360. The comparison takes some 30 ms for as many as here. */
const MOST_WORDS = 1_000;

type Step = 'both' | 'own' | 'sound';

/**
 * The agent's own account of a reply beside what was heard of it, in pieces: words that both have, and words that differ. "50 mg" and
 * "fifty milligrams" are the same words.
 * @returns null where the texts are too long to be compared
 */
export function accountAgainst(sound: string, own: string, language: string): Pieces | null {
  if (!isReadable(own, sound)) return null;
  const [ofOwn, ofSound] = [tokensOf(own), tokensOf(sound)];
  if (Math.max(ofOwn.length, ofSound.length) > MOST_WORDS) return null;
  const pieces: { own: string; sound: string; same: boolean }[] = [];
  let [takenOfOwn, takenOfSound] = [0, 0];
  for (const step of alignment(ofOwn.map(keyOf), ofSound.map(keyOf))) {
    const same = step === 'both';
    let last = pieces.at(-1);
    if (last === undefined || last.same !== same) pieces.push((last = { own: '', sound: '', same }));
    if (step !== 'sound') last.own += ofOwn[takenOfOwn++] ?? '';
    if (step !== 'own') last.sound += ofSound[takenOfSound++] ?? '';
  }
  const said = (text: string): string => wordsOf(text, language).join(' ');
  return pieces.map((piece, at) => {
    if (piece.same) return piece;
    // Beside its number "mg" is "milligrams", and by itself it is not.
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    const around = (of: 'own' | 'sound'): string =>
      `${tokensOf(before?.[of] ?? '').at(-1) ?? ''}${piece[of]}${tokensOf(after?.[of] ?? '')[0] ?? ''}`;
    return said(around('own')) === said(around('sound')) ? { ...piece, same: true } : piece;
  });
}

/** Words, each with the white space after it. */
function tokensOf(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function keyOf(token: string): string {
  return token.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || token.trim();
}

/** The longest common subsequence, step by step. */
function alignment(own: readonly string[], sound: readonly string[]): Step[] {
  const width = sound.length + 1;
  // Of what follows each pair of places, the words in common.
  const common = new Uint16Array((own.length + 1) * width);
  for (let row = own.length - 1; row >= 0; row -= 1) {
    for (let column = sound.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      common[at] =
        own[row] === sound[column]
          ? (common[at + width + 1] ?? 0) + 1
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < own.length || column < sound.length) {
    const at = row * width + column;
    if (row < own.length && column < sound.length && own[row] === sound[column]) {
      steps.push('both');
      row += 1;
      column += 1;
    } else if (column === sound.length || (row < own.length && (common[at + width] ?? 0) >= (common[at + 1] ?? 0))) {
      steps.push('own');
      row += 1;
    } else {
      steps.push('sound');
      column += 1;
    }
  }
  return steps;
}
