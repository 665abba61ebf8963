import { createHash } from 'node:crypto';
import { ROLES, type Role } from '../../../contract/operation';

/** Claims about a person, as a provider signed or answered them. */
export type Claims = Readonly<Record<string, unknown>>;

/** A person as the provider describes them. */
export interface Identity {
  /** Theirs alone at this provider, and never given to another person. */
  readonly subject: string;
  /** As others know them; the provider may give it to another person later. */
  readonly name: string;
  readonly groups: readonly string[];
}

const LONGEST_NAME = 200;
const LONGEST_GROUP = 500;
/** More than any directory puts into a token. */
const MOST_GROUPS = 2_000;

/** Who the claims are about. An address counts as a name unless the provider says that it is not verified. */
export function identityIn(claims: Claims, subject: string, groupsClaim: string): Identity {
  const { email_verified: verified = true } = claims;
  // Some providers write it as text.
  const email = verified === true || verified === 'true' ? nameIn(claims['email']) : null;
  const name = nameIn(claims['preferred_username']) ?? email ?? nameIn(subject) ?? 'unnamed';
  return { subject, name, groups: groupsIn(claims, groupsClaim) ?? [] };
}

/** Null when the claims do not speak of groups. The claim is looked for by its whole name, then as a path: `realm_access.roles`. */
export function groupsIn(claims: Claims, claim: string): readonly string[] | null {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce<unknown>(fieldOf, claims);
  if (typeof found === 'string') return found === '' ? [] : [found];
  if (!Array.isArray(found)) return null;
  const groups: readonly unknown[] = found.slice(0, MOST_GROUPS);
  return groups.filter((group) => typeof group === 'string').filter((group) => group.length <= LONGEST_GROUP);
}

/** The role that may most of those that the groups have; null when they have none. Names of groups are compared exactly. */
export function roleOfGroups(
  groups: readonly string[],
  having: Readonly<Record<Role, readonly string[]>>,
): Role | null {
  const theirs = new Set(groups);
  return ROLES.findLast((role) => having[role].some((group) => theirs.has(group))) ?? null;
}

/** What is put behind a name that another person or a key has already: the same for the same person. */
export function markOf(issuer: string, subject: string): string {
  return createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 8);
}

/** Names that the audit trail and reviews have for others, whichever keys there are now. */
const NAMES_OF_OTHERS = new RegExp(`^(anyone|the service|(${ROLES.join('|')}) \\d+)$`, 'i');
/** A name with a mark: it may be made for another person later. */
const MARKED = / \([0-9a-f]{8}\)$/i;

/** Whether a name needs a mark even while no person and no key has it. */
export function couldBeAnothers(name: string): boolean {
  return NAMES_OF_OTHERS.test(name) || MARKED.test(name);
}

function fieldOf(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null && Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
}

/** Characters that are not seen: those that turn the direction of writing, fillers that count as letters, and the empty braille pattern. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Without characters that are not seen; what is shown the same is written the same, so that it is compared as the same name. */
function nameIn(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  const name = claim
    .slice(0, 2 * LONGEST_NAME)
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
  return name === '' ? null : name;
}
