/**
 * Who a request comes from, and what a role may do. Admission puts the caller on the request; endpoints ask for it here.
 */

export { maySeeSecrets, callerOf, isStranger, suffices, keyNameOf, type Caller } from './caller';
