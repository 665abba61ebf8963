interface OpenTrack {
  /** Resolves when everything that arrived of it has been handed on. */
  close(): Promise<void>;
}

/** The tracks of others that are listened to in a room. */
export class HeardTracks<Track> {
  private readonly open = new Map<Track, { readonly track: OpenTrack; readonly sender: string }>();
  /** Of tracks whose last sound is being handed on. */
  private readonly ending = new Map<Track, { readonly sender: string; readonly ended: Promise<void> }>();

  /** @param onEnd called once for each track, when all of its sound has been handed on */
  constructor(private readonly onEnd: (sender: string, track: Track) => void) {}

  get size(): number {
    return this.open.size;
  }

  has(track: Track): boolean {
    return this.open.has(track);
  }

  add(track: Track, sender: string, opened: OpenTrack): void {
    this.open.set(track, { track: opened, sender });
  }

  /** Resolves when the track has ended. Idempotent. */
  end(track: Track): Promise<void> {
    const known = this.open.get(track);
    if (known === undefined) return this.ending.get(track)?.ended ?? Promise.resolve();
    const { sender } = known;
    this.open.delete(track);
    const ended = known.track.close().then(() => {
      this.ending.delete(track);
      this.onEnd(sender, track);
    });
    this.ending.set(track, { sender, ended });
    return ended;
  }

  /** Ends those of a participant. Resolves when all have ended, also those whose end came before: it may be told first that its tracks are gone. */
  async endThoseOf(identity: string): Promise<void> {
    const theirs = [...this.open, ...this.ending].flatMap(([track, { sender }]) =>
      sender === identity ? [track] : [],
    );
    await Promise.all(theirs.map((track) => this.end(track)));
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.open.keys(), ...this.ending.keys()].map((track) => this.end(track)));
  }
}
