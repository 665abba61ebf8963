/**
 * A text without any trailing characters that are in `characters`. A regular expression (`/[.\\s]+$/`) would walk every
 * run of them inside the text once from each of the run's characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
