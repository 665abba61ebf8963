import type { AgentPresence } from './agent-presence';
import type { RoomTimes } from './room-times';
import type { RoomEvent } from './room-wire';
import { SpokenText, type Said } from './spoken-text';

/** What the agent says in text streams, and whether it is quiet. */
export class AgentSpeech {
  private readonly spoken = new SpokenText();
  private heardAt = performance.now();
  private readonly isAgent = (identity: string): boolean => this.presence.isAgent(identity);

  constructor(
    private readonly presence: AgentPresence,
    private readonly times: RoomTimes,
  ) {}

  /** When the agent last said or did something, in milliseconds of `performance.now()`. */
  get lastHeardAt(): number {
    return this.heardAt;
  }

  /** The agent did something: quiet counts from now on. */
  stirred(): void {
    this.heardAt = performance.now();
  }

  hear(event: RoomEvent & { type: 'streamBegan' | 'streamText' | 'streamEnded' }): void {
    switch (event.type) {
      case 'streamBegan':
        this.spoken.began(event.stream, event.topic, event.sender, event.segment);
        return this.stirred();
      case 'streamText':
        return this.spoken.add(event.stream, event.text) ? this.stirred() : undefined;
      case 'streamEnded':
        // A segment that broke off is not a complete reply, and never will be.
        return event.isWhole && this.spoken.ended(event.stream) ? this.stirred() : undefined;
    }
  }

  /** What it says from now on belongs to the next reply. */
  beginTurn(): void {
    this.spoken.forget();
  }

  /** What it has said since the last `beginTurn`. */
  said(): Said {
    return this.spoken.said(this.isAgent);
  }

  /** Whether what it has said may be too long for a reply. */
  get isLong(): boolean {
    return this.spoken.isLong;
  }

  /** It is present and listening, and has been silent long enough. */
  isQuiet(): boolean {
    const { isListening, isMissing } = this.presence;
    return this.quietIn() === 0 && isListening && !isMissing && !this.spoken.isOpen(this.isAgent);
  }

  /** Milliseconds until it has been quiet long enough, if nothing more comes. */
  quietIn(): number {
    const needed = this.presence.reportsState ? this.times.quiet : this.times.quietWithoutState;
    return Math.max(0, this.heardAt + needed - performance.now());
  }
}
