/** How long silence must last to mean something in a LiveKit room, in milliseconds; tests shorten it. */
export interface RoomTimes {
  /** An agent that tells its state and was quiet for so long has said everything. */
  readonly quiet: number;
  /** The same of one that tells no state. */
  readonly quietWithoutState: number;
  /** A participant that does not call itself an agent is taken for one when no other has come for so long. */
  readonly standardAfter: number;
  /** One that shows no sign of being ready is taken at its word after so long: a bot of text has nothing to show. */
  readonly readyAfter: number;
  /** An agent that speaks the session protocol answers a ping within so long; its handler may come up after its state does. */
  readonly probe: number;
}

export const ROOM_TIMES: RoomTimes = {
  quiet: 1_000,
  quietWithoutState: 2_500,
  standardAfter: 1_000,
  readyAfter: 2_000,
  probe: 500,
};
