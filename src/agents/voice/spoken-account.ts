/** Text follows the sound; what has not come by then does not come. */
export const TEXT_GRACE_MS = 3_000;

/** What the agent's side tells in text of a conversation that is spoken. */
export interface SpokenAccount {
  /** What it tells from now on belongs to the next turn. */
  beginTurn(): void;
  /** What it says that it said, once all of it has come or so much time has passed. */
  wholeText(withinMs: number, signal: AbortSignal): Promise<string>;
  readonly textSoFar: string;
  /** What it understood of the patient; null when it does not say. */
  readonly understoodSoFar: string | null;
  /** Whether it is known that the agent stopped before it had said all; left out where nothing would tell. */
  readonly hadMoreToSay?: boolean;
  /** Names of the tools that the agent called in this turn, as far as it tells. */
  readonly calledTools: readonly string[];
}
