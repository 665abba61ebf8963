import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** One examiner, as results name it: where two differ in any of these, their marks are not alike. */
export interface ExaminerDocument {
  /** `offline`, or the vendor whose API is spoken. */
  readonly name: string;
  /** As configured; null offline. */
  readonly model: string | null;
  readonly prompt_version: string | null;
}

/** Stands for the tester of conversations that were held elsewhere: no patient of this service took part. */
export const ELSEWHERE: ExaminerDocument = { name: 'elsewhere', model: null, prompt_version: null };

export interface ExaminerPair {
  readonly tester: ExaminerDocument;
  readonly judge: ExaminerDocument;
}

/** The models that a run asks for, with their prefixes; null asks for the one that is set up. */
export interface AskedModels {
  readonly tester_model: string | null;
  readonly judge_model: string | null;
}

/** Who is to examine in a run. */
export interface AskedExaminers extends AskedModels {
  /** The judge that the run calibrates, and that alone marks in it; null in a test of an agent. */
  readonly calibrated_judge: ExaminerDocument | null;
  /** Whether agents are spoken with in it: a run that only marks what was spoken holds no conversation. */
  readonly is_spoken: boolean;
}

/** The examiners that a run asks for, and those that have examined in it. */
@Injectable()
export class RunExaminersStore {
  constructor(private readonly database: Database) {}

  /** Null when there is no such run. @throws the database's error */
  async askedFor(testRunId: string): Promise<AskedExaminers | null> {
    const [row] = await this.database.engine.query<AskedExaminers>(
      `SELECT tester_model, judge_model, calibrated_judge,
              modality = 'spoken' AND derivation IS DISTINCT FROM 'regrade' AS is_spoken
       FROM test_runs WHERE id = $1`,
      [testRunId],
    );
    return row ?? null;
  }

  /** Safe to repeat. Waits for no lock of the run. @throws the database's error */
  async note(testRunId: string, { tester, judge }: ExaminerPair): Promise<void> {
    await this.database.engine.query(
      `INSERT INTO run_examiners (test_run_id, tester, judge)
       VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [testRunId, JSON.stringify(tester), JSON.stringify(judge)],
    );
  }
}
