/**
 * How work is kept in bounds within a process: a limited number at a time with the others in line, work that recurs, values kept
 * for a while, and large work that leaves the event loop room.
 */

export { Slots } from './slots';
export { inSharedTurn, othersTurn, ownTurn } from './own-turn';
export { bothAtOnce } from './both-at-once';
export { RecurringTask } from './recurring-task';
export { RecentMap } from './recent-map';
export { Remembered } from './remembered';
export { startThread } from './start-thread';
