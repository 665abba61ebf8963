/** Format characters, fillers and joiners: what no reader sees proves nothing, and hides nothing. */
const UNSEEN = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/u;
const BLANK = /[\s\p{Cc}\u0085]/u;
const EMPHASIS = /[*`]/;
const APOSTROPHE = /[‘’‛ʼ´]/;
const QUOTATION_MARK = /[“”„«»]/;
const DASH = /[‐‑‒]/;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const LAST_ASCII = 0x7e;

/** A text as it is searched, and where each of its UTF-16 units stands in the text it was made of. */
export class SearchedText {
  private constructor(
    readonly text: string,
    /** With the end of the original as the last one. */
    private readonly places: readonly number[],
  ) {}

  /** What a reader sees of a text, with its line ends: patterns mean what they say. */
  static visible(original: string): SearchedText {
    return made(original, (character) => (UNSEEN.test(character) || character === '\0' ? '' : character));
  }

  /**
   * The words of a text, however they are set: marks of emphasis are left out, white space is one space, typographic signs and
   * compatibility forms are plain ones.
   */
  static words(original: string, keepsCase: boolean): SearchedText {
    let isAfterBlank = true;
    return made(original, (character) => {
      const code = character.codePointAt(0) ?? 0;
      if (BLANK.test(character)) {
        const blank = isAfterBlank ? '' : ' ';
        isAfterBlank = true;
        return blank;
      }
      if (EMPHASIS.test(character) || (code > LAST_ASCII && UNSEEN.test(character))) return '';
      isAfterBlank = false;
      const plain = code <= LAST_ASCII ? character : plainOf(character);
      return keepsCase ? plain : plain.toLowerCase();
    });
  }

  /** The place of a part in the text it was made of, end exclusive. */
  placeOf(start: number, end: number): { readonly start: number; readonly end: number } {
    const from = this.places[start] ?? 0;
    return { start: from, end: end > start ? (this.places[end - 1] ?? from) + 1 : from };
  }

  /** Whether a letter or digit goes on across this place. */
  splitsWord(at: number): boolean {
    return (
      WORD.test(characterBefore(this.text, at)) && WORD.test(String.fromCodePoint(this.text.codePointAt(at) ?? 0x20))
    );
  }

  static from(text: string, places: readonly number[]): SearchedText {
    return new SearchedText(text, places);
  }
}

function made(original: string, shown: (character: string) => string): SearchedText {
  const pieces: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const character of original) {
    const piece = shown(character);
    for (let unit = 0; unit < piece.length; unit += 1) {
      // The second half of a pair stands where it stood, so that its end is the pair's.
      places.push(piece === character ? at + unit : at + character.length - 1);
    }
    pieces.push(piece);
    at += character.length;
  }
  places.push(at);
  return SearchedText.from(pieces.join(''), places);
}

function plainOf(character: string): string {
  if (APOSTROPHE.test(character)) return "'";
  if (QUOTATION_MARK.test(character)) return '"';
  if (DASH.test(character)) return '-';
  // Taken apart, so that é is the same in either spelling.
  return character.normalize('NFKD');
}

function characterBefore(text: string, at: number): string {
  const unit = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(unit) ? text.slice(Math.max(0, at - 2), at) : unit;
}
