/**
 * A text without the characters at its end that are in `characters`. A regular expression for it (`/[.\\s]+$/`) would walk each
 * run of them inside the text once from each of its characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
