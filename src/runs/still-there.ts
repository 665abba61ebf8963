import { NotFoundException } from '@nestjs/common';
import type { TestRunsStore } from '../persistence/test-runs.store';

/**
 * To be asked after more than one row of a run was read. A run is deleted by its own row, and what belongs to it is cleared away later: while
 * that row is there, everything that was read was whole; when it is gone, some of it may have been.
 * @throws NotFoundException
 */
export async function stillThere(testRuns: TestRunsStore, id: string, message = 'Test run not found'): Promise<void> {
  if ((await testRuns.resolve(id)) === null) throw new NotFoundException(message);
}
