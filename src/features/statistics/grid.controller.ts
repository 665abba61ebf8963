import { BadRequestException, Controller, NotFoundException, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { showGrid } from '../../../contract/grid';
import type { QueryOf } from '../../../contract/operation';
import { callerOf } from '../../platform/access';
import { jsonDocument, LinesOfCallers, sendDocument, Serves } from '../../platform/http';
import { TestRunsStore } from '../runs/test-runs.store';
import { ShownMarks } from '../shown-marks/shown-marks';
import { GridStore } from './grid.store';

/** Eight runs of 20,000 conversations keep PostgreSQL busy for a second. */
const AT_ONCE = 2;

/** How each scenario fared in one run or in several. */
@Controller()
export class GridController {
  private readonly lines = new LinesOfCallers(AT_ONCE);

  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: GridStore,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(showGrid)
  async show(
    @Query({ schema: showGrid.query }) { test_run_id: asked, ...page }: QueryOf<typeof showGrid>,
    @Res() response: Response,
  ): Promise<void> {
    const ids = await this.idsOf(asked);
    const [grid, offline] = await this.lines.inLine(response, () =>
      Promise.all([this.store.read(ids, page), this.store.offline(ids)]),
    );
    // A run that was deleted meanwhile may have been read in part.
    await this.idsOf(asked);
    await this.shown.ofRuns(callerOf(response.req), ids);
    sendDocument(response, jsonDocument({ runs: ids.map((id) => ({ id, offline: offline.has(id) })), ...grid }));
  }

  private async idsOf(asked: readonly string[]): Promise<string[]> {
    const found = await this.testRuns.findMany(asked);
    const ids = asked.map((idOrLabel) => {
      const run = found.get(idOrLabel);
      if (run === undefined) throw new NotFoundException(`Test run not found: ${idOrLabel}`);
      return run.id;
    });
    const twice = ids.findIndex((id, place) => ids.indexOf(id) !== place);
    if (twice >= 0) throw new BadRequestException(`test_run_id: ${asked[twice] ?? ''} is named twice.`);
    return ids;
  }
}
