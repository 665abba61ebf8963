/** Marks a scenario that got both verdicts under the same conditions: with a sign and a word, never by colour alone. */
export function FlakyMark() {
  return (
    <span className="tag flaky">
      <span aria-hidden="true">± </span>flaky
    </span>
  );
}
