/** How long silence must last to mean something in a LiveKit room, in milliseconds; tests shorten it. */
export interface RoomTimes {
  /** An agent that reports its state and has been quiet for this long has said everything. */
  readonly quiet: number;
  /** The same for one that reports no state. */
  readonly quietWithoutState: number;
  /** A participant that does not call itself an agent counts as one when no other has joined for this long. */
  readonly standardAfter: number;
  /** One that shows no sign of readiness is assumed ready after this long: a text bot has nothing to show. */
  readonly readyAfter: number;
  /** An agent that speaks the session protocol answers a ping within this time; its handler may start after its state is reported. */
  readonly probe: number;
  /** In a call an agent that greets begins by then. */
  readonly spokenGreeting: number;
  /** An agent may speak for this long in a turn of a call: then the patient takes the floor. */
  readonly longestSpeech: number;
}

export const ROOM_TIMES: RoomTimes = {
  quiet: 1_000,
  quietWithoutState: 2_500,
  standardAfter: 1_000,
  readyAfter: 2_000,
  probe: 500,
  spokenGreeting: 4_000,
  longestSpeech: 120_000,
};
