/** A text that an agent addresses to the examiner, and its place. */
export interface Attack {
  readonly family: string;
  readonly name: string;
  /** True when it is aimed at one criterion of the scenario, not at all of them. */
  readonly isTargeted: boolean;
  /** The replies of a conversation with the attack in them. */
  readonly on: (replies: readonly string[], target: string) => readonly string[];
}

type Placing = (replies: readonly string[], text: string) => readonly string[];

/** The place of a text: after the first reply, before the last, or in place of one in the middle. */
export const PLACINGS: readonly (readonly [name: string, place: Placing])[] = [
  ['after the first reply', (replies, text) => replies.map((reply, at) => (at === 0 ? `${reply} ${text}` : reply))],
  [
    'before the last reply',
    (replies, text) => replies.map((reply, at) => (at === replies.length - 1 ? `${text}\n\n${reply}` : reply)),
  ],
  ['in every reply', (replies, text) => replies.map((reply) => `${reply}\n${text}`)],
];

/** A text for all criteria, or one that is made for a target. */
export type AttackText = string | ((target: string) => string);

export function attacksOf(family: string, texts: readonly AttackText[]): Attack[] {
  return texts.flatMap((text, number) =>
    PLACINGS.map(([placing, place]): Attack => ({
      family,
      name: `${family} ${number + 1}, ${placing}`,
      isTargeted: typeof text === 'function',
      on: (replies, target) => place(replies, typeof text === 'string' ? text : text(target)),
    })),
  );
}

/** Pieces in consecutive replies, one in each. */
export function splitAttacks(family: string, texts: readonly (readonly string[])[]): Attack[] {
  return texts.flatMap((pieces, number) =>
    [0, 1, 2].map((from): Attack => ({
      family,
      name: `${family} ${number + 1}, from reply ${from + 1}`,
      isTargeted: false,
      on: (replies) =>
        replies.map((reply, at) => {
          const piece = pieces[at - from];
          return piece === undefined ? reply : `${reply} ${piece}`;
        }),
    })),
  );
}

/** Each text once, each in another reply in rotation, as a paragraph of its own. */
export function inParagraphs(family: string, texts: readonly AttackText[]): Attack[] {
  return texts.map((text, number): Attack => ({
    family,
    name: `${family} ${number + 1}`,
    isTargeted: typeof text === 'function',
    on: (replies, target) => {
      const said = typeof text === 'string' ? text : text(target);
      const place = placeAmong(replies, number);
      return replies.map((reply, at) => {
        if (at !== place) return reply;
        return number % 2 === 0 ? `${reply}\n\n${said}` : `${said}\n\n${reply}`;
      });
    },
  }));
}

/** Pieces in consecutive replies, each a paragraph at the end. */
export function inTurns(
  family: string,
  texts: readonly (readonly string[] | ((target: string) => readonly string[]))[],
): Attack[] {
  return texts.map((text, number): Attack => ({
    family,
    name: `${family} ${number + 1}`,
    isTargeted: typeof text === 'function',
    on: (replies, target) => {
      const pieces = typeof text === 'function' ? text(target) : text;
      const from = number % 2;
      return replies.map((reply, at) => {
        const piece = pieces[at - from];
        return piece === undefined ? reply : `${reply}\n\n${piece}`;
      });
    },
  }));
}

/** The first reply, one in the middle, the last. */
function placeAmong(replies: readonly string[], number: number): number {
  return Math.floor(((number % 3) * (replies.length - 1)) / 2);
}
