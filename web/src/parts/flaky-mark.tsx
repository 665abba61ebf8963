/** Both verdicts were given under the same conditions: a sign and a word, never a colour alone. */
export function FlakyMark() {
  return (
    <span className="tag flaky">
      <span aria-hidden="true">± </span>flaky
    </span>
  );
}
