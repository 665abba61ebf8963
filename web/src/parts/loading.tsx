/** Says that something comes, only to those who wait longer than a blink. */
export function Loading() {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
