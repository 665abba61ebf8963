import { Afterwork } from '../afterwork';
import { ProviderError } from '../errors';
import { nativeLibrary } from '../livekit/native-library';
import { Provider, type Availability, type ConnectRequest, type Session } from '../provider';
import { Opening, type OpeningParts } from './opening';

/** Agents deployed to Pipecat Cloud whose bots speak through a LiveKit room. A session ends with the process that holds it. */
export class PipecatProvider extends Provider {
  override readonly kind = 'pipecat';
  override readonly resumable = false;
  /** Where its transport is a LiveKit room: `connect` refuses others. */
  override readonly speaks = true;
  private readonly afterwork = new Afterwork();

  constructor(private readonly parts: OpeningParts) {
    super();
  }

  override availability(): Availability {
    return nativeLibrary();
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const opening = new Opening(this.parts, request, this.afterwork);
    if (signal.aborted) throw ProviderError.canceled();
    try {
      return await opening.open(signal);
    } catch (error) {
      const ended = this.afterwork.keep(opening.end());
      // After a cancellation no caller waits; after a failure everything is undone first.
      if (!signal.aborted) await ended;
      throw error;
    }
  }

  /** Waits until all sessions have been cleaned up. */
  settled(): Promise<void> {
    return this.afterwork.settled();
  }
}
