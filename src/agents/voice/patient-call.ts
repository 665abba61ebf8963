import { ProviderError } from '../errors';
import { timedOut } from '../outbound/http-client';
import type { SpokenPatient, SpokenSpan, Utterance } from '../provider';
import type { AgentCall } from './agent-call';
import type { HeardSound } from './call-floor';
import { machineMs, type Heard } from './sound-clocks';
import { TEXT_GRACE_MS, type SpokenAccount } from './spoken-account';
import { SILENCE_MS } from './turn-end';

const GREETING_ENDS_MS = 15_000;

/** Where a call takes place. */
export interface CallPlace {
  /** @param onSound receives what the agent says, in order @throws ProviderError also where the patient may not speak */
  call(onSound: (sound: HeardSound) => void, signal: AbortSignal): Promise<AgentCall>;
}

/** A call that began, with the one who makes it: the clock of the machine made one of the call. */
export class PatientCall {
  private beganAt: number | null = null;
  private spoken: AgentCall | null = null;

  private constructor(private readonly patient: SpokenPatient) {}

  /**
   * Takes up the patient's voice in a room or on a line.
   * @throws ProviderError what `place.call` throws
   */
  static async begin(place: CallPlace, patient: SpokenPatient, signal: AbortSignal): Promise<PatientCall> {
    const call = new PatientCall(patient);
    call.since(machineMs());
    call.spoken = await place.call((sound) => call.hear(sound), signal);
    call.spoken.onFloor((floor) => patient.onFloor(floor));
    return call;
  }

  get agent(): AgentCall {
    if (this.spoken === null) throw new ProviderError('internal', 'The call has not begun.');
    return this.spoken;
  }

  /**
   * Waits until an agent that says something before the patient does has said it, and written what it said.
   * @param beginsMs how long it has to begin
   * @returns what it said, by its own account; empty when it does not tell
   */
  async greeting(account: SpokenAccount, beginsMs: number, signal: AbortSignal): Promise<string> {
    const hasGreeted = await this.hasGreeted(beginsMs, signal);
    return hasGreeted ? account.wholeText(TEXT_GRACE_MS, signal) : account.textSoFar;
  }

  utter(message: string, signal: AbortSignal): Promise<Utterance> {
    return this.patient.utter(message, signal);
  }

  /** Whether a reply may be without words of its own. */
  get hearsWords(): boolean {
    return this.patient.hearsWords;
  }

  /** Something went out. */
  uttered(part: 'turn' | 'interjection', heard: Heard): SpokenSpan {
    const span = this.span(heard);
    this.patient.onUttered(part, span);
    return span;
  }

  span({ from, to }: Heard): SpokenSpan {
    return { from: this.since(from), to: this.since(to) };
  }

  private async hasGreeted(beginsMs: number, signal: AbortSignal): Promise<boolean> {
    const limit = (milliseconds: number) => ({ deadline: performance.now() + milliseconds, late: timedOut });
    try {
      await this.agent.beginning(0, limit(beginsMs), signal);
      await this.agent.silence(0, SILENCE_MS, limit(GREETING_ENDS_MS), signal);
      return true;
    } catch (error) {
      // An agent that waits for the patient, or that talks on: the patient speaks.
      const isLate = error instanceof ProviderError && error.code === 'provider_timeout';
      if (!isLate || signal.aborted) throw error;
      return false;
    }
  }

  private hear({ firstSample, at, samples }: HeardSound): void {
    this.patient.onSound({ firstSample, from: this.since(at), samples });
  }

  private since(moment: number): number {
    this.beganAt ??= moment;
    return moment - this.beganAt;
  }
}
