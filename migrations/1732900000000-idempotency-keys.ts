import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that clients send with what may be made only once: hashes, and what was answered. Kept for a day. */
export class IdempotencyKeys1732900000000 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1732900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        key_hash bytea PRIMARY KEY,
        request_hash bytea NOT NULL,
        claim uuid NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        answer json,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
