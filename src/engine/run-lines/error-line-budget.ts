/** Lines about errors of one run, of one process. */
const LINES_A_RUN = 20;
/** Runs with errors that are remembered: of a run forgotten too early a few more lines are written. */
const RUNS_KEPT = 1_000;

/** A run of thousands of scenario runs whose agent is down writes a few lines, not thousands. */
export class ErrorLineBudget {
  private readonly spent = new Map<string, number>();

  /** `lastLine` once, for saying that no more will follow. */
  spend(testRunId: string): 'line' | 'lastLine' | 'none' {
    const before = this.spent.get(testRunId) ?? 0;
    if (before > LINES_A_RUN) return 'none';
    this.spent.set(testRunId, before + 1);
    const [oldest] = this.spent.keys();
    if (this.spent.size > RUNS_KEPT && oldest !== undefined) this.spent.delete(oldest);
    return before < LINES_A_RUN ? 'line' : 'lastLine';
  }

  forget(testRunId: string): void {
    this.spent.delete(testRunId);
  }
}
