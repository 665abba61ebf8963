/** Longer texts are shown unformatted: formatting an agent's text must never block the page. */
const FORMATTED_UP_TO = 6_000;

/** Deeper nesting of quotes and lists is not formatted: it is unreadable, and the parser reads each level again. */
const TOO_DEEP = /^[ \t]{0,8}(?:>[ \t]{0,3}|(?:[-*+]|\d{1,9}[.)])[ \t]{1,3}){10}/m;

/** Line beginnings and pairs of marks that writers of Markdown use. Each alternative is bounded. */
const MARKS =
  /^ {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|\|)|\*\*[^\s*]|__[^\s_]|`[^`\n]{1,200}`|\[[^\]\n]{1,200}\]\(|!\[[^\]\n]{0,200}\]\(/m;

/** Whether a text reads better formatted. */
export function isMarkdown(text: string): boolean {
  return text.length <= FORMATTED_UP_TO && MARKS.test(text) && !TOO_DEEP.test(text);
}
