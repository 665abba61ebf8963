import { ROLES, type Role } from '../../../contract/operation';

/** The sender of a request. */
export interface Caller {
  /** The name of the service key; never the key. */
  readonly name: string;
  readonly role: Role;
}

/** Every caller of a service without keys: all of them may do everything. */
export const ANYONE: Caller = Object.freeze({ name: 'anyone', role: 'admin' });
/** A caller who has shown no key to a service that has some: paths that are open to all still answer. */
const STRANGER: Caller = Object.freeze({ name: 'anyone', role: 'viewer' });

const callers = new WeakMap<object, Caller>();

/** Remembers who sent the request, once, where its key is checked. */
export function identify(request: object, caller: Caller): void {
  callers.set(request, caller);
}

/** The sender of the request. One that was answered before its key was checked has the stranger, whose role may least, as its sender. */
export function callerOf(request: object): Caller {
  return callers.get(request) ?? STRANGER;
}

/** The name of the key that the request came with; null on a service without keys, where all callers count as one. */
export function keyNameOf(caller: Caller): string | null {
  return caller === ANYONE ? null : caller.name;
}

/** Whether nothing is known of the caller, on a service that asks for keys. */
export function isStranger(caller: Caller): boolean {
  return caller === STRANGER;
}

/** Whether stored secrets may be shown to the caller: only to one who can change them. */
export function maySeeSecrets({ role }: Caller): boolean {
  return suffices(role, 'admin');
}

/** Whether a caller with this role may do what another role is needed for: each role may all that the ones before it may. */
export function suffices(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
