import { RecentMap, Remembered, Slots } from '../../platform/concurrency';
import { withDeadline } from './speech-error';
import type { EnginesRequest, FoundEngines } from './speech-jobs';
import type { SpeechThread } from './speech-thread';

/** A voice that takes longer is of no use in a conversation. The wait for other checks counts. */
const CHECKED_WITHIN_MS = 15_000;
/** Programs that are started, or words that are asked of a server, at a time: a check is of no more use than a call that is under way. */
const AT_A_TIME = 2;
/** A voice that was installed, or a server that came up, is found soon after it was missed. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 100;

/**
 * Finds who speaks and who hears before a run is stored. Checks are made in the thread that speaks, a few at a time; what was found counts
 * for some seconds, and runs that are started at once with the same voice share a check.
 */
export class EngineChecks {
  private readonly found = new RecentMap<Remembered<FoundEngines>>(MOST_REMEMBERED);
  private readonly slots = new Slots(AT_A_TIME);
  private readonly never = new AbortController().signal;

  constructor(private readonly thread: Pick<SpeechThread, 'run'>) {}

  /** @throws SpeechError; `timed_out` where it took too long */
  check(request: EnginesRequest): Promise<FoundEngines> {
    const key = JSON.stringify([request.voice, request.rate, request.namedBy]);
    const known = this.found.get(key) ?? new Remembered(() => this.checkNow(request), REMEMBERED_MS);
    this.found.set(key, known);
    return known.get();
  }

  private checkNow(request: EnginesRequest): Promise<FoundEngines> {
    const late = `The patient's voice did not speak within ${CHECKED_WITHIN_MS / 1_000} s: try again, or examine in text.`;
    return withDeadline(CHECKED_WITHIN_MS, [this.never], late, async (signal) => {
      const release = await this.slots.take(signal);
      try {
        return await this.thread.run('engines', request, signal);
      } finally {
        release();
      }
    });
  }
}
