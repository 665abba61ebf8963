import { randomInt } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { fullNameOf, readModelName } from '../../platform/config/model-name';
import { Settings } from '../../platform/config/settings';
import type { Page } from '../../platform/http/page';
import { Judges } from '../../examiners/judge/judge';
import { CalibrationsStore } from './calibrations.store';
import type { CalibrationEntity } from './calibration.entity';
import type { ExaminerDocument } from '../../engine/ledger/run-examiners.store';
import type { WriteWith } from '../../platform/database/connections';
import { CalibrationWorker } from './calibration-worker';
import type { CreateCalibrationRequest } from './calibration.requests';
import { listItemOf, viewOf, type CalibrationList, type CalibrationView } from './calibration.views';
import { documentOf } from './judge-document';
import { loadStarterSet } from './starter-set';

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
    private readonly worker: CalibrationWorker,
    private readonly settings: Settings,
  ) {}

  async list({ limit, offset }: Page): Promise<CalibrationList> {
    const [rows, total] = await Promise.all([this.calibrations.list(limit, offset), this.calibrations.count()]);
    const counts = await this.calibrations.marksOf(rows.map(({ id }) => id));
    const listed = rows.map((row) => listItemOf(row, counts.get(row.id) ?? untouched(0), this.judgeNow(row)));
    return { calibrations: listed, total };
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<CalibrationView> {
    return this.viewOf(existing(await this.calibrations.find(id)));
  }

  /** @param remember is written with it. @throws BadRequestException for a model that may not be used */
  async create(
    { name, items, repeats: asked, judge_model }: CreateCalibrationRequest,
    remember: WriteWith<CalibrationView>,
  ): Promise<CalibrationView> {
    const judgeModel = judge_model === undefined || judge_model === null ? null : this.allowed(judge_model);
    const judge = this.judges.find(judgeModel);
    if (judge === null) throw new BadRequestException(`judge_model: ${judgeModel ?? ''} cannot be used here`);
    const repeats = asked ?? 1;
    const given = items ?? (await loadStarterSet());
    const seeds = new Map(ORDERS.map((order) => [order, randomInt(2 ** 32)]));
    const row = await this.calibrations.create(
      {
        name,
        source: given === items ? 'given' : 'starter_set',
        repeats,
        judgeModel,
        judge: documentOf(judge),
        items: given,
        seeds: ORDERS.slice(0, repeats).map((order) => seeds.get(order) ?? 0),
      },
      (tx, stored) => remember(tx, viewOf(stored, untouched(given.length * repeats), documentOf(judge))),
    );
    return viewOf(row, untouched(given.length * repeats), documentOf(judge));
  }

  /** Cancels a calibration. The cancellation is stored before the answer: nothing is marked after it. @throws NotFoundException */
  async cancel(id: string): Promise<CalibrationView> {
    const row = existing(await this.calibrations.cancel(id));
    this.worker.stop(row.id);
    return this.viewOf(row);
  }

  /** @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.calibrations.delete(id))) throw new NotFoundException(NOT_FOUND);
    this.worker.stop(id);
  }

  private async viewOf(row: CalibrationEntity): Promise<CalibrationView> {
    const counts = await this.calibrations.marksOf([row.id]);
    return viewOf(row, counts.get(row.id) ?? untouched(0), this.judgeNow(row));
  }

  private judgeNow({ judgeModel }: CalibrationEntity): ExaminerDocument | null {
    const judge = this.judges.find(judgeModel);
    return judge === null ? null : documentOf(judge);
  }

  private allowed(text: string): string {
    const name = readModelName(text);
    const full = name === null ? text : fullNameOf(name);
    const models = this.settings.examiners.allowed.map((model) => model.name);
    if (models.includes(full)) return full;
    throw new BadRequestException(
      models.length === 0
        ? 'judge_model: this service has no language model; set one up, or leave judge_model out'
        : `judge_model: ${JSON.stringify(text)} is not one of ${models.join(', ')} (ALLOWED_MODELS)`,
    );
  }
}

export const NOT_FOUND = 'Calibration not found';

function untouched(total: number) {
  return { total, marked: 0, failed: 0 };
}

function existing(row: CalibrationEntity | null): CalibrationEntity {
  if (row === null) throw new NotFoundException(NOT_FOUND);
  return row;
}
