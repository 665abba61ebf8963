/** Free text that users write about a run, in the order in which it is shown. Plain data: the page carries it without zod. */
export const ANNOTATION_FIELDS = ['name', 'note'] as const;

export type AnnotationField = (typeof ANNOTATION_FIELDS)[number];

interface Annotation {
  readonly label: string;
  /** Characters. */
  readonly longest: number;
  /** Of its input; one line: it stands in for the run's label. */
  readonly lines: number;
}

export const RUN_ANNOTATIONS: Readonly<Record<AnnotationField, Annotation>> = {
  name: { label: 'Name', longest: 500, lines: 1 },
  note: { label: 'Note', longest: 2_000, lines: 3 },
};

export type Annotated = Readonly<Record<AnnotationField, string | null>>;

/** Those that are filled, with their labels. */
export function filledAnnotations(
  run: Annotated,
): { readonly field: AnnotationField; readonly label: string; readonly text: string }[] {
  return ANNOTATION_FIELDS.flatMap((field) => {
    const text = run[field] ?? '';
    return text === '' ? [] : [{ field, label: RUN_ANNOTATIONS[field].label, text }];
  });
}

/** All of them, null where one is not filled. @param shown what a reader is shown of a text */
export function annotationsOf(run: Annotated, shown: (text: string | null) => string | null = (text) => text) {
  const { name, note } = run;
  return { name: shown(name), note: shown(note) } satisfies Record<AnnotationField, string | null>;
}
