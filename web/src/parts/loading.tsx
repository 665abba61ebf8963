/** A loading note, visible only after a moment. */
export function Loading() {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
