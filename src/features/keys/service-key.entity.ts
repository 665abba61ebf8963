import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A key that an admin has made for a program. Its secret is not here: only what it hashes to. */
@Entity('service_keys')
@Unique('service_keys_digest', ['digest'])
@Index('service_keys_live_name', { synchronize: false })
export class ServiceKeyEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Of the keys that are not revoked, one has it. */
  @Column('text')
  name!: string;

  @Column('text')
  role!: string;

  /** SHA-256 of the secret, which is 256 random bits: nothing slower is needed against guesses. */
  @Column('bytea')
  digest!: Buffer;

  /** The beginning of the secret. */
  @Column('text')
  hint!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt!: Date | null;

  @Column('text', { name: 'revoked_by', nullable: true })
  revokedBy!: string | null;
}
