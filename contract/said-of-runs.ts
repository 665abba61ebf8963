/** What people write about a run, in the order in which it is shown. Plain data: the page carries it without zod. */
export const SAID_FIELDS = ['name', 'note'] as const;

export type SaidField = (typeof SAID_FIELDS)[number];

interface SaidText {
  readonly label: string;
  /** Characters. */
  readonly longest: number;
  /** Of the box that it is written in; what is written in one line stands for the run. */
  readonly lines: number;
}

export const SAID_OF_RUN: Readonly<Record<SaidField, SaidText>> = {
  name: { label: 'Name', longest: 500, lines: 1 },
  note: { label: 'Note', longest: 2_000, lines: 3 },
};

export type SaidOfRun = Readonly<Record<SaidField, string | null>>;

/** What is filled, with its label. */
export function saidOf(run: SaidOfRun): { readonly field: SaidField; readonly label: string; readonly text: string }[] {
  return SAID_FIELDS.flatMap((field) => {
    const text = run[field] ?? '';
    return text === '' ? [] : [{ field, label: SAID_OF_RUN[field].label, text }];
  });
}

/** The same for each field, null where it is not filled. @param told what is made of a text */
export function saidFields(run: SaidOfRun, told: (text: string | null) => string | null = (text) => text) {
  const { name, note } = run;
  return { name: told(name ?? null), note: told(note ?? null) } satisfies Record<SaidField, string | null>;
}
