/** A change being saved: what a form or a button needs to know of it. */
export interface Saving<Fields> {
  readonly mutate: (fields: Fields) => void;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
}
