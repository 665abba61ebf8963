import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Role } from '../../../contract/operation';
import {
  ADVISORY_LOCKS,
  Database,
  insertRows,
  statementsOf,
  UnopenedSecret,
  updateRow,
  type Queryable,
} from '../../platform/database';
import { countShownUnder } from '../shown-marks/shown-marks.store';
import { addAuditRecords, type AuditDraft } from '../audit/audit.store';
import { couldBeAnothers, markOf, type Identity } from './identity';
import type { Grant } from './identity-provider';
import { SessionEntity } from './session.entity';

/** Why a session ended before its time. */
export type EndedBecause = 'refused' | 'no role' | 'not decrypted';

/** What is asked of a session with each request. */
export interface SessionState {
  readonly id: string;
  readonly person_id: string;
  readonly name: string;
  readonly subject: string;
  readonly role: Role;
  readonly is_expired: boolean;
  readonly is_due: boolean;
  readonly was_away: boolean;
  readonly ended_because: EndedBecause | null;
}

export interface NewSession {
  readonly digest: Buffer;
  readonly issuer: string;
  readonly identity: Identity;
  readonly role: Role;
  readonly grant: Grant;
  readonly hours: number;
  /** Null: the provider gave nothing to ask again with. */
  readonly renewInSeconds: number | null;
  /** Names that keys of the settings have. */
  readonly takenNames: readonly string[];
}

/** A process that asks is given this long before another may. */
const RENEWING_SECONDS = 60;
/** More browsers than a person has; the oldest end beyond that. */
const MOST_OF_A_PERSON = 20;
/** So long a session that has ended is kept to say why. */
const KEPT_DAYS = 7;
const FORGOTTEN_AT_ONCE = 500;

/** Sessions, and the people who have them. */
@Injectable()
export class SessionsStore {
  constructor(private readonly database: Database) {}

  /** Null for one of another provider too: what that said holds no more once the settings name this one. */
  async find(digest: Buffer, issuer: string): Promise<SessionState | null> {
    const [row] = await this.database.query<SessionState>(
      `SELECT s.id, s.person_id, p.name, p.subject, s.role, s.expires_at <= now() AS is_expired,
         coalesce(s.renew_at <= now(), false) AS is_due, s.was_away, s.ended_because
       FROM sessions s JOIN people p ON p.id = s.person_id WHERE s.digest = $1 AND p.issuer = $2`,
      [digest, issuer],
    );
    return row ?? null;
  }

  /**
   * Stores a session with its record in the audit trail, both or none; answers the name that the person has here.
   * @param draftFor the record, by that name
   */
  create(session: NewSession, draftFor: (name: string) => AuditDraft): Promise<string> {
    const { digest, role, grant, hours, renewInSeconds } = session;
    return this.database.dataSource.transaction(async (manager) => {
      const tx = statementsOf(manager);
      const person = await storedPerson(tx, session);
      const id = randomUUID();
      const [times] = await tx.query<{ expires_at: Date; renew_at: Date | null }>(
        'SELECT now() + make_interval(hours => $1) AS expires_at, now() + make_interval(secs => $2::int) AS renew_at',
        [hours, renewInSeconds],
      );
      if (times === undefined) throw new Error('The database did not tell the time.');
      await insertRows(manager, SessionEntity, [
        {
          ...{ id, digest: `\\x${digest.toString('hex')}`, personId: person.id, role },
          ...{ idToken: grant.idToken, refreshToken: grant.refreshToken },
          ...{ expiresAt: times.expires_at, renewAt: times.renew_at },
        },
      ]);
      await tx.query(
        `DELETE FROM sessions WHERE person_id = $1 AND id NOT IN (
           SELECT id FROM sessions WHERE person_id = $1 ORDER BY created_at DESC, id = $2 DESC LIMIT $3)`,
        [person.id, id, MOST_OF_A_PERSON],
      );
      await addAuditRecords(tx, [draftFor(person.name)]);
      return person.name;
    });
  }

  /** Ends it at once and keeps nothing of it; answers its ID token by this issuer, null when it has none, is unknown or cannot be decrypted any more. */
  async end(digest: Buffer, issuer: string): Promise<string | null> {
    const sessions = this.database.dataSource.getRepository(SessionEntity);
    const session = await sessions.findOneBy({ digest });
    if (session === null) return null;
    const [ended] = await this.database.query<{ issuer: string | null }>(
      'DELETE FROM sessions WHERE id = $1 RETURNING (SELECT issuer FROM people WHERE id = person_id) AS issuer',
      [session.id],
    );
    return ended?.issuer === issuer ? opened(() => session.idToken, null) : null;
  }

  /**
   * Takes over asking the provider about a session that is due; null when another process does, or it is not due any more. A session
   * whose tokens cannot be decrypted any more ends.
   */
  async claimRenewal(id: string): Promise<Renewal | null> {
    const claim = randomUUID();
    const [claimed] = await this.database.query<{ id: string }>(
      `UPDATE sessions SET renew_at = now() + make_interval(secs => $3), renewed_by = $2
       WHERE id = $1 AND renew_at <= now() AND expires_at > now() AND ended_because IS NULL RETURNING id`,
      [id, claim, RENEWING_SECONDS],
    );
    if (claimed === undefined) return null;
    const session = await this.database.dataSource.getRepository(SessionEntity).findOneBy({ id });
    if (session === null) return null;
    const refreshToken = opened(() => session.refreshToken, NOT_DECRYPTED);
    if (refreshToken === NOT_DECRYPTED) await this.endBecause({ id, claim }, 'not decrypted');
    return typeof refreshToken === 'string' ? { id, claim, refreshToken } : null;
  }

  /** Stores what the provider said. What an earlier renewal brings late is dropped. */
  async renewed({ id, claim }: Renewal, role: Role, grant: Grant, renewInSeconds: number): Promise<void> {
    await this.database.dataSource.transaction(async (manager) => {
      const tx = statementsOf(manager);
      const [ours] = await tx.query<{ id: string }>(
        `UPDATE sessions SET role = $3, was_away = false, renew_at = now() + make_interval(secs => $4)
         WHERE id = $1 AND renewed_by = $2 AND ended_because IS NULL RETURNING id`,
        [id, claim, role, renewInSeconds],
      );
      if (ours === undefined) return;
      // Where the provider gives no new one, the present one goes on.
      await updateRow(manager, SessionEntity, id, {
        ...(grant.refreshToken !== null && { refreshToken: grant.refreshToken }),
        ...(grant.idToken !== null && { idToken: grant.idToken }),
      });
    });
  }

  async away({ id, claim }: Renewal, againInSeconds: number): Promise<void> {
    await this.database.query(
      `UPDATE sessions SET was_away = true, renew_at = now() + make_interval(secs => $3) WHERE id = $1 AND renewed_by = $2`,
      [id, claim, againInSeconds],
    );
  }

  async endBecause({ id, claim }: Omit<Renewal, 'refreshToken'>, why: EndedBecause): Promise<void> {
    await this.database.query(
      `UPDATE sessions SET ended_because = $3, renew_at = NULL, refresh_token = NULL, id_token = NULL WHERE id = $1 AND renewed_by = $2`,
      [id, claim, why],
    );
  }

  /** A bounded number of those that ended long enough ago; null when there were none. */
  async forgetEnded(tx: Queryable): Promise<number | null> {
    const forgotten = await tx.query(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at <= now() - make_interval(days => $1) LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [KEPT_DAYS, FORGOTTEN_AT_ONCE],
    );
    return forgotten.length === 0 ? null : forgotten.length;
  }
}

const NOT_DECRYPTED = Symbol('not decrypted');

/** A secret of a row; what is given instead of it where SECRETS_KEY does not open it any more. */
function opened<Otherwise>(read: () => string | null, otherwise: Otherwise): string | null | Otherwise {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnopenedSecret) return otherwise;
    throw error;
  }
}

/** A renewal under way. */
export interface Renewal {
  readonly id: string;
  readonly claim: string;
  readonly refreshToken: string;
}

/**
 * The row of a person, by issuer and subject. A name that another person or a key has is theirs: what is done under it would not be told apart. So a
 * mark is put behind it.
 */
async function storedPerson(
  tx: Queryable,
  session: NewSession,
): Promise<{ readonly id: string; readonly name: string }> {
  const { issuer, takenNames } = session;
  const { subject, name } = session.identity;
  await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.namesOfCallers]);
  const [found] = await tx.query<{ taken: boolean }>(
    `SELECT EXISTS (SELECT FROM people WHERE lower(name) = lower($1) AND NOT (issuer = $2 AND subject = $3))
       OR EXISTS (SELECT FROM service_keys WHERE lower(name) = lower($1)) AS taken`,
    [name, issuer, subject],
  );
  const isOfSettings = takenNames.some((taken) => taken.toLowerCase() === name.toLowerCase());
  const isTaken = found?.taken !== false || isOfSettings || couldBeAnothers(name);
  const theirs = isTaken ? `${name} (${markOf(issuer, subject)})` : name;
  const [before] = await tx.query<{ name: string }>('SELECT name FROM people WHERE issuer = $1 AND subject = $2', [
    issuer,
    subject,
  ]);
  if (before !== undefined && before.name !== theirs) await countShownUnder(tx, before.name, theirs);
  const [person] = await tx.query<{ id: string; name: string }>(
    `INSERT INTO people (issuer, subject, name) VALUES ($1, $2, $3)
     ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, updated_at = now() RETURNING id, name`,
    [issuer, subject, theirs],
  );
  if (person === undefined) throw new Error('A person that was stored was not answered.');
  return person;
}
