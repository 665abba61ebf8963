/** What a service key is for, from the one that may least to the one that may everything. */
export const ROLES = ['viewer', 'runner', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether who has this role may do what another one is needed for: each may all that the ones before it may. */
export function suffices(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
