/** The state of saving a change, as a form or a button needs it. */
export interface Saving<Fields> {
  readonly mutate: (fields: Fields) => void;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
}
