/** The label of the button that repeats scenario runs without a verdict; canceled ones are not errors. Null when there is nothing to repeat. */
export function retryLabel({ error_count: errors, canceled_count: canceled }: Counts): string | null {
  const of = (count: number, one: string, many: string) =>
    count === 1 ? `the ${one}` : `the ${count.toLocaleString()} ${many}`;
  if (errors === 0 && canceled === 0) return null;
  if (canceled === 0) return `Run ${of(errors, 'error', 'errors')} again`;
  if (errors === 0) return `Run ${of(canceled, 'canceled scenario', 'canceled scenarios')} again`;
  return `Run ${of(errors, 'error', 'errors')} and ${of(canceled, 'canceled scenario', 'canceled scenarios')} again`;
}

interface Counts {
  readonly error_count: number;
  readonly canceled_count: number;
}
