import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A webhook whose secret was renewed signs with the one before it too, for a while. */
export class RotatedWebhookSecrets1733201000000 implements MigrationInterface {
  readonly name = 'RotatedWebhookSecrets1733201000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE webhooks ADD COLUMN previous_secret text, ADD COLUMN previous_secret_expires_at timestamptz(3)',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
