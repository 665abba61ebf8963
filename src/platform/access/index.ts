/**
 * Who a request comes from, and what a role may do. Admission puts the caller on the request; endpoints ask for it here. Where keys
 * and sessions are stored is the business of the rooms that implement the ports.
 */

export {
  ANYONE,
  maySeeSecrets,
  callerOf,
  isStranger,
  suffices,
  keyNameOf,
  calledInSentence,
  type Caller,
} from './caller';
export { KeyHolders, SessionHolders, type Shown } from './shown';
