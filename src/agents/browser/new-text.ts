/** Beyond this many texts on each side the comparison would cost too much. */
const MAX_COMPARED = 500;

/** A sign that a reply is coming, when it is a whole line: dots, or "… is typing". */
const PLACEHOLDER =
  /^([.…•●·∙\s]{1,12}|.{0,40}\b(typing|thinking|writing|loading|searching|generating|working on it|one moment)\b.{0,20}(\.{2,3}|…)?)$/iu;

/** What chats show beside a message: when it was sent, and whether it was read. */
const FURNITURE =
  /^(\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?|just now|now|sent|delivered|read|seen|today|you|me|copy|retry|[✓✔]{1,2})$/iu;

/**
 * What was added to a list of texts between two readings, in order. What is common to the beginning and end of both is old
 * first; of the rest, what is not part of their longest common subsequence is new.
 */
export function addedTexts(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const old = before.slice(start, before.length - end);
  const candidates = after.slice(start, after.length - end);
  if (old.length === 0) return candidates;
  if (old.length > MAX_COMPARED || candidates.length > MAX_COMPARED) {
    const known = new Set(old);
    return candidates.filter((text) => !known.has(text));
  }
  const numbers = new Map<string, number>();
  // Long texts that differ only at their ends are compared once each, not all with all.
  const numbered = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const added = indexesBeyondCommon(old.map(numbered), candidates.map(numbered));
  return candidates.filter((_, index) => added.has(index));
}

/** Indexes of the members of `after` that are not part of the longest common subsequence of the two. */
function indexesBeyondCommon(before: readonly number[], after: readonly number[]): Set<number> {
  const width = after.length + 1;
  // lengths[i * width + j]: how much before[i…] and after[j…] have in common.
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const added = new Set<number>();
  let i = 0;
  for (let j = 0; j < after.length; j += 1) {
    while (i < before.length && before[i] !== after[j] && at(i + 1, j) >= at(i, j + 1)) i += 1;
    if (i < before.length && before[i] === after[j]) i += 1;
    else added.add(j);
  }
  return added;
}

/**
 * The messages that are new among the nodes of a selector. Where there are more than before, they are counted: frameworks
 * change the text of old ones (`just now` becomes `1 minute ago`). A list may grow at its top.
 */
export function newMessages(before: readonly string[], after: readonly string[]): string[] {
  const more = after.length - before.length;
  if (more <= 0) return addedTexts(before, after);
  const kept = before.filter((text, index) => text === after[index]).length;
  const moved = before.filter((text, index) => text === after[index + more]).length;
  return moved > kept ? after.slice(0, more).reverse() : after.slice(before.length);
}

/** The reply among new lines of a page: without typing indicators, and without times and receipts around it. */
export function replyInLines(lines: readonly string[]): string {
  const said = lines.filter((line) => !isPlaceholder(line));
  const words = said.filter((line) => !FURNITURE.test(line.trim()));
  // A reply may be as short as a time of day.
  return (words.length > 0 ? words : said).join('\n');
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}
