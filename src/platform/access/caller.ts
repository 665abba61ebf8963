import { ROLES, type Role } from '../../../contract/operation';

/** The sender of a request. */
export interface Caller {
  /** Tells callers of one name apart: by it limits are counted, and answers repeated. Never a secret. */
  readonly id: string;
  /** The name of the service key, or of the person who has signed in; never the key. */
  readonly name: string;
  readonly role: Role;
  /** A person whom the organisation's provider of identities vouches for: what they do stands under their name and no other. */
  readonly isPerson?: true;
}

/** Every caller of a service without keys: all of them may do everything. */
export const ANYONE: Caller = Object.freeze({ id: 'anyone', name: 'anyone', role: 'admin' });
/** A caller who has shown nothing to a service that asks for something: paths that are open to all still answer. */
const STRANGER: Caller = Object.freeze({ id: 'stranger', name: 'anyone', role: 'viewer' });

const callers = new WeakMap<object, Caller>();

/** Remembers who sent the request, once, where what it shows is checked. */
export function identify(request: object, caller: Caller): void {
  callers.set(request, caller);
}

/** The sender of the request. One that was answered before that was checked has the stranger, whose role may least, as its sender. */
export function callerOf(request: object): Caller {
  return callers.get(request) ?? STRANGER;
}

/** The name that what the caller does stands under; null on a service without keys, where all callers count as one. */
export function keyNameOf(caller: Caller): string | null {
  return caller === ANYONE ? null : caller.name;
}

/** Whether nothing is known of the caller, on a service that asks for keys. */
export function isStranger(caller: Caller): boolean {
  return caller === STRANGER;
}

/** How a sentence names the caller: `the key "ci"`, or the person by name. */
export function calledInSentence({ name, isPerson }: Caller): string {
  return isPerson === true ? name : `the key "${name}"`;
}

/** Whether stored secrets may be shown to the caller: only to one who can change them. */
export function maySeeSecrets({ role }: Caller): boolean {
  return suffices(role, 'admin');
}

/** Whether a caller with this role may do what another role is needed for: each role may all that the ones before it may. */
export function suffices(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
