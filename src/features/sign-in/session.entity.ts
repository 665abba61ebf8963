import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, Unique, UpdateDateColumn } from 'typeorm';

/** A person who has signed in: to the provider the subject, to people here the name. */
@Entity('people')
@Unique('people_subject', ['issuer', 'subject'])
@Unique('people_name', ['name'])
export class PersonEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  name!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

/** One browser in which a person is signed in. */
@Entity('sessions')
@Unique('sessions_digest', ['digest'])
export class SessionEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** SHA-256 of what the cookie holds. */
  @Column('bytea')
  digest!: Buffer;

  /** Refers to nothing: a backup holds people and no sessions. */
  @Column('uuid', { name: 'person_id' })
  personId!: string;

  /** By the groups that the provider named last. */
  @Column('text')
  role!: string;

  @Column('text', { name: 'id_token', nullable: true })
  idToken!: string | null;

  @Column('text', { name: 'refresh_token', nullable: true })
  refreshToken!: string | null;

  @Index('sessions_by_end')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  /** When the provider is asked again; null when it gave nothing to ask with. While one process asks, when another may. */
  @Column({ type: 'timestamptz', name: 'renew_at', precision: 3, nullable: true })
  renewAt!: Date | null;

  /** The renewal under way, or the last one: a fencing token. */
  @Column('uuid', { name: 'renewed_by', nullable: true })
  renewedBy!: string | null;

  /** Whether the provider could not be asked when that was last tried. */
  @Column('boolean', { name: 'was_away', default: false })
  wasAway!: boolean;

  /** Why it ended before its time; null otherwise. */
  @Column('text', { name: 'ended_because', nullable: true })
  endedBecause!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
