import { randomInt, randomUUID } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { Cancellations, ProcessId } from '../../engine/actors';
import { type ExaminerDocument, TestRunLedger } from '../../engine/ledger';
import { Judges } from '../../examiners/judge';
import type { WriteWith } from '../../platform/database';
import { ModelChoice } from '../runs/model-choice';
import { RunBeginnings } from '../runs/run-beginnings';
import { calibrationRunOf } from './calibration-run';
import { listItemOf, viewOf } from './calibration.views';
import { CalibrationsStore, type CalibrationRow } from './calibrations.store';
import { documentOf } from './judge-document';
import { loadStarterSet } from './starter-set';
import {
  NOT_FOUND,
  type CreateCalibrationRequest,
  type CalibrationList,
  type CalibrationView,
} from '../../../contract/calibrations';
import type { Page } from '../../../contract/page';

/**
 * Which repeats see the criteria in the same order, by letter: two repeats show what the order does; from the third on some also show
 * what is left when the order stays.
 */
const ORDERS = ['a', 'b', 'a', 'b', 'c'] as const;

/** How far a judge agrees with people. */
@Injectable()
export class CalibrationsService {
  constructor(
    private readonly calibrations: CalibrationsStore,
    private readonly judges: Judges,
    private readonly models: ModelChoice,
    private readonly ledger: TestRunLedger,
    private readonly beginnings: RunBeginnings,
    private readonly cancellations: Cancellations,
    private readonly processId: ProcessId,
  ) {}

  async list({ limit, offset }: Page): Promise<CalibrationList> {
    const [rows, total] = await Promise.all([this.calibrations.list(limit, offset), this.calibrations.count()]);
    return { calibrations: rows.map((row) => listItemOf(row, this.judgeNow(row))), total };
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<CalibrationView> {
    const row = await this.existing(id);
    return viewOf(row, this.judgeNow(row));
  }

  /** @param remember is written with it. @throws BadRequestException for a model that may not be used */
  async create(
    { name, items, repeats, judge_model }: CreateCalibrationRequest,
    remember: WriteWith<CalibrationView>,
  ): Promise<CalibrationView> {
    const { judge_model: judgeModel } = this.models.of({ judge_model: judge_model ?? undefined });
    const judge = this.judges.find(judgeModel);
    if (judge === null) throw new BadRequestException(`judge_model: ${judgeModel ?? ''} cannot be used here`);
    const given = items ?? (await loadStarterSet());
    const seeds = new Map(ORDERS.map((order) => [order, randomInt(2 ** 32)]));
    const id = randomUUID();
    const run = calibrationRunOf({
      id,
      name,
      judgeModel,
      judge: documentOf(judge),
      items: given,
      seeds: ORDERS.slice(0, repeats ?? 1).map((order) => seeds.get(order) ?? 0),
      owner: this.processId.value,
    });
    const source = given === items ? 'given' : 'starter_set';
    const views: CalibrationView[] = [];
    await this.beginnings.begin(() =>
      this.ledger.importRun(run, async (tx) => {
        const view = viewOf(await this.calibrations.add(tx, { id, source, items: given }), documentOf(judge));
        views.push(view);
        await remember(tx, view);
      }),
    );
    const stored = views.at(-1);
    if (stored === undefined) throw new Error('A calibration was begun without being stored.');
    return stored;
  }

  /** Cancels a calibration. The cancellation is stored before the answer: nothing is marked after it. @throws NotFoundException */
  async cancel(id: string): Promise<CalibrationView> {
    await this.end((await this.existing(id)).id);
    return this.find(id);
  }

  /** With its run, and all that this one has left. @throws NotFoundException */
  async delete(id: string): Promise<void> {
    const row = await this.existing(id);
    await this.end(row.id);
    if (!(await this.ledger.delete(row.id))) throw new NotFoundException(NOT_FOUND);
  }

  private async end(id: string): Promise<void> {
    const { kind } = await this.ledger.cancel(id);
    if (kind === 'canceled') this.cancellations.announce(id);
  }

  private async existing(id: string): Promise<CalibrationRow> {
    const row = await this.calibrations.find(id);
    if (row === null) throw new NotFoundException(NOT_FOUND);
    return row;
  }

  private judgeNow({ judgeModel }: CalibrationRow): ExaminerDocument | null {
    const judge = this.judges.find(judgeModel);
    return judge === null ? null : documentOf(judge);
  }
}
