/** One thing that an agent may say, or a client may write, to hurt who reads it. */
export interface HostileText {
  readonly family: string;
  /** Unique within the corpus; plain words, since it names the scenario that meets the text. */
  readonly name: string;
  readonly text: string;
}

/** Names for a family's texts: `floods: full stop`. */
export function familyOf(family: string, texts: Readonly<Record<string, string>>): HostileText[] {
  return Object.entries(texts).map(([name, text]) => ({ family, name: `${family}: ${name}`, text }));
}

/** So many UTF-16 units of a text that repeats itself. */
export function filledWith(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}
