import type { SpeechLimits } from '../../../contract/scenario-speech';
import { EffectFailed, type ExaminedTurn, type PatientScenario, type Verdict } from '../../domain';
import type { ExecutionRecord } from '../ledger/execution-record';
import type { UndecidedLimit } from '../measures/speech-limits';
import { requireSpeech } from './spoken-conversations';

type Limited = Pick<ExecutionRecord, 'patient' | 'passThreshold'>;

/** The limits that a scenario sets on the speech of its agent, decided by what was measured of one conversation (docs/spoken.md). */
export class LimitedSpeech {
  private constructor(
    private readonly record: Limited,
    private readonly scenario: PatientScenario,
    private readonly transcript: readonly ExaminedTurn[],
    private readonly limits: SpeechLimits,
    private readonly measures: Measures,
  ) {}

  /**
   * Null where the scenario sets none. What measures is loaded with the first that does.
   * @throws EffectFailed where a limit cannot be decided: an error, never a mark, and no judge has been asked by then
   */
  static async of(
    record: Limited,
    scenario: PatientScenario,
    transcript: readonly ExaminedTurn[],
  ): Promise<LimitedSpeech | null> {
    const { limits } = requireSpeech(scenario.content);
    if (Object.keys(limits).length === 0) return null;
    const limited = new LimitedSpeech(record, scenario, transcript, limits, await loadMeasures());
    const { measuredTranscript, cardOf, undecidedLimit } = limited.measures;
    const measured = measuredTranscript(transcript, scenario, record.patient.language, null);
    const undecided = undecidedLimit(limits, measured, cardOf(scenario));
    if (undecided !== null) throw cannotBeDecided(undecided);
    return limited;
  }

  /** The verdict with the limits as criteria. @throws EffectFailed where one cannot be decided */
  decide(verdict: Verdict): Verdict {
    const { record, scenario, transcript, limits, measures } = this;
    const measured = measures.measuredTranscript(transcript, scenario, record.patient.language, verdict.criteria);
    const { passThreshold } = record;
    const decided = measures.withLimits(verdict, limits, measured, { card: measures.cardOf(scenario), passThreshold });
    if ('why' in decided) throw cannotBeDecided(decided);
    return decided;
  }
}

async function loadMeasures() {
  return { ...(await import('../measures/speech-limits.js')), ...(await import('../measures/measured-transcript.js')) };
}

type Measures = Awaited<ReturnType<typeof loadMeasures>>;

function cannotBeDecided({ name, why }: UndecidedLimit): EffectFailed {
  return new EffectFailed({
    code: 'grading_failed',
    message: `The speech limit ${name} of the scenario cannot be decided: ${why}.`,
  });
}
