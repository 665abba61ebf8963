/** How many characters have to be added, left out or replaced to make one word of the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: [...other].length + 1 }, (_, place) => place);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, expected] of [...other].entries()) {
      const [above = 0, diagonal = 0, left = 0] = [row[place + 1], row[place], next[place]];
      next.push(Math.min(above + 1, left + 1, diagonal + (character === expected ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
