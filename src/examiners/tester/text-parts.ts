/** Cuts a text into parts of at most `most` characters, at blank lines where there are any, otherwise at line ends or spaces. */
export function inParts(text: string, most: number): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > most) {
    const window = text.slice(from, from + most);
    const cut = [window.lastIndexOf('\n\n'), window.lastIndexOf('\n'), window.lastIndexOf(' ')].find(
      (at) => at > most / 2,
    );
    const length = cut === undefined ? wholeCharacters(window) : cut;
    parts.push(window.slice(0, length));
    from += length;
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The length without half a surrogate pair at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
