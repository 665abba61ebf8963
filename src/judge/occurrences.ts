/**
 * Everywhere `wanted` stands in a text, overlapping ones too, by the algorithm of Knuth, Morris and Pratt. `indexOf` compares
 * anew from each place: a quote that nearly fits everywhere (`aaaa…b`) would cost the product of both lengths.
 */
export function* occurrences(text: string, wanted: string): Generator<number> {
  if (wanted === '') return;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched += 1;
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each beginning of a text the length of the longest shorter one that it also ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text.charCodeAt(at) !== text.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(matched)) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
