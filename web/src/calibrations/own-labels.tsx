/** How to calibrate with one's own labels, which is the calibration that counts. */
export function OwnLabels() {
  return (
    <p>
      To know how far the judge is right about your own conversations, have at least two clinicians label transcripts of
      your agent, and give their labels to <code className="code">osce calibrate labels.jsonl</code>. The calibration
      then appears here.
    </p>
  );
}
