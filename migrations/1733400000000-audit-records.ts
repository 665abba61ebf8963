import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who asked for which change, when, and how it ended: one row a request, written before the change is begun and completed after it. A new
 * table alone, so that processes of the release before go on as they are; what they change is not recorded.
 */
export class AuditRecords1733400000000 implements MigrationInterface {
  readonly name = 'AuditRecords1733400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_records (
        number bigserial PRIMARY KEY,
        at timestamptz(3) NOT NULL DEFAULT now(),
        who text NOT NULL,
        role text NOT NULL,
        address text,
        method text NOT NULL,
        route text NOT NULL,
        resource text NOT NULL,
        resource_ids text[] NOT NULL DEFAULT '{}',
        fields text[] NOT NULL DEFAULT '{}',
        request_id text,
        alive_until timestamptz(3) NOT NULL,
        status integer,
        replayed boolean NOT NULL DEFAULT false,
        completed_at timestamptz(3)
      );
      CREATE INDEX audit_records_by_time ON audit_records (at);
      CREATE INDEX audit_records_by_resource ON audit_records USING gin (resource_ids);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
