import { NotFoundException } from '@nestjs/common';
import type { TestRunsStore } from './test-runs.store';

/**
 * Call it after reading more than one row of a run. Deleting a run removes its own row first and the rest later: while that row
 * exists, everything read before was complete; once it is gone, part of it may have been missing.
 * @throws NotFoundException
 */
export async function assertRunExists(
  testRuns: TestRunsStore,
  id: string,
  message = 'Test run not found',
): Promise<void> {
  if ((await testRuns.resolve(id)) === null) throw new NotFoundException(message);
}
