/** What is measured of one spoken conversation, from what was kept of its turns. Pure functions: nothing of it is stored. */

export {
  measured,
  timelineOf,
  type Measured,
  type MeasuredInput,
  type MeasuredConversation,
  type EntityTally,
  type TurnMeasures,
} from './measured-conversation';
export {
  isDoubted,
  isReadable,
  measuredTurn,
  MOST_CHARACTERS,
  wordsOf,
  type MeasuredTurn,
  type Tally,
  type WordTally,
} from './measured-turn';
export { floorOf } from './floor-times';
export { redFlagIn } from './escalation';
export { spokenIn, readSpoken, spokenEntryOf, TimedReply } from './spoken-turn';
