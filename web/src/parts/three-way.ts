/** A JSON document's fields by name. */
type Fields = Readonly<Record<string, unknown>>;

/** A field that another user changed while a form was open. */
export interface FieldChange {
  /** Such as `content.script`. */
  readonly path: string;
  readonly theirs: unknown;
  readonly yours: unknown;
  /** Whether the form changed it too, to another value. */
  readonly isContested: boolean;
}

/** The fields in which `theirs` differs from the form's first values, each with the form's current value. A list is one field. */
export function changedMeanwhile(began: Fields, theirs: Fields, yours: Fields): FieldChange[] {
  return [...new Set([...pathsOf(yours, ''), ...pathsOf(theirs, '')])].flatMap((path) => {
    const [was, other, own] = [began, theirs, yours].map((fields) => valueAt(fields, path));
    if (isSame(was, other) || isSame(other, own)) return [];
    return [{ path, theirs: other, yours: own, isContested: !isSame(was, own) }];
  });
}

/** Their state with the form's changes on top: where both changed a field, the form's value counts. */
export function merged(began: Fields, theirs: Fields, yours: Fields): Record<string, unknown> {
  const names = new Set([...Object.keys(yours), ...Object.keys(theirs)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = mergedValue(began[name], theirs[name], yours[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function mergedValue(began: unknown, theirs: unknown, yours: unknown): unknown {
  if (isSame(began, yours)) return theirs;
  if (isFields(theirs) && isFields(yours)) return merged(isFields(began) ? began : {}, theirs, yours);
  return yours;
}

/** Whether two values are equal, in any order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => isSame(item, other[place]));
  }
  if (!isFields(one) || !isFields(other)) return one === other;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(one[name], other[name]));
}

function pathsOf(fields: Fields, above: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isFields(value) && Object.keys(value).length > 0 ? pathsOf(value, `${above}${name}.`) : [`${above}${name}`],
  );
}

function valueAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), fields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
