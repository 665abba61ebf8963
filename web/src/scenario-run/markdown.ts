/** Longer texts are shown as they are: whatever an agent says, formatting it must not hold up the page. */
const FORMATTED_UP_TO = 6_000;

/** Quotes in lists in quotes: nobody writes so deep to be read, and each level is read again. */
const TOO_DEEP = /^[ \t]{0,8}(?:>[ \t]{0,3}|(?:[-*+]|\d{1,9}[.)])[ \t]{1,3}){10}/m;

/** Beginnings of lines, and pairs of marks, that people write for what they look like. Each alternative is bounded. */
const MARKS =
  /^ {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|\|)|\*\*[^\s*]|__[^\s_]|`[^`\n]{1,200}`|\[[^\]\n]{1,200}\]\(|!\[[^\]\n]{0,200}\]\(/m;

/** Whether a text would read better formatted than as it is. */
export function isMarkdown(text: string): boolean {
  return text.length <= FORMATTED_UP_TO && MARKS.test(text) && !TOO_DEEP.test(text);
}
