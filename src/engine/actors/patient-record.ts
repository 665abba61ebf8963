import { NO_USAGE, sumOfUsage, type ModelUsage } from '../../examiners/model';
import { type AuditRequest, quotable, type PatientFault, TesterError, type Tester } from '../../examiners/tester';

/** What is known of the patient of one conversation beside its messages. */
export interface PatientFacts {
  /** Faults that were not mended. */
  readonly faults: readonly PatientFault[];
  /** How the audit of the patient went: `done`, `failed` when it came to nothing, null when it was not tried. */
  readonly audit: 'done' | 'failed' | null;
  /** Null when there was no audit. */
  readonly auditMs: number | null;
  /** Usage of the tester's calls that led to no turn. */
  readonly usage: ModelUsage;
}

/** Gathers what the patient of one conversation did wrong, and what finding it cost. */
export class PatientRecord {
  private current: PatientFacts = { faults: [], audit: null, auditMs: null, usage: NO_USAGE };

  get facts(): PatientFacts {
    return this.current;
  }

  noteFailure({ faults, usage }: TesterError): void {
    this.note({ faults, usage });
  }

  /**
   * Has the tester audit its patient. An audit that fails does not end the conversation: the failure is noted, and the transcript
   * is marked (ADR 25).
   * @param given the turns in which the patient did what an author had written: a fork's message, keys of a scenario
   * @throws TesterError when the patient strayed in something that decides: an agent is not marked for its patient
   */
  async audit(tester: Tester, request: AuditRequest, given: ReadonlySet<number>, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const audit = await tester.audit(request, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof TesterError)) throw error;
      this.note({ usage: error.usage, audit: 'failed', auditMs: performance.now() - began });
      return null;
    });
    if (audit === null) return;
    const own = audit.faults.filter(({ turn }) => !given.has(turn));
    const faults = own.map(({ isDecisive: _, ...fault }): PatientFault => fault);
    this.note({ faults, usage: audit.usage, audit: 'done', auditMs: performance.now() - began });
    const decisive = own.find(({ isDecisive }) => isDecisive);
    if (decisive === undefined) return;
    const { turn, kind, text } = decisive;
    throw new TesterError(
      `The patient strayed from its script in something that decides the scenario (turn ${turn}, ${kind}): "${quotable(text)}"`,
    );
  }

  private note({ faults = [], usage = NO_USAGE, ...rest }: Partial<PatientFacts>): void {
    this.current = {
      ...this.current,
      ...rest,
      faults: [...this.current.faults, ...faults],
      usage: sumOfUsage(this.current.usage, usage),
    };
  }
}
