import { z } from 'zod';
import { DEFAULT_TURNS } from '../../src/domain';
import type { TestRun } from '../connection/run-answers';
import { withDeadline } from '../connection/deadline';
import { followRun } from '../connection/run-events';
import { findRun } from '../named-resources';
import { Tally } from '../watch/tally';
import { isOver } from '../watch/watch-run';
import { runName } from './result-tools';
import { resultFields, resultOf, resultText } from './run-summary';
import { registering, type ToolCall } from './tool';

/** Clients give up on a call after a minute by default. */
const USUAL_WAIT_S = 50;
const LONGEST_WAIT_S = 3_600;
/** How long the service may be out of reach during a call. */
const PATIENCE_MS = 30_000;
const LISTED = 50;

class WaitIsOver extends Error {
  override readonly name = 'WaitIsOver';
}

export const followTool = registering({
  name: 'follow_run',
  title: 'Follow a run',
  description:
    'Wait until a run has ended, or for the given seconds, and return its result so far. Progress is reported on the way to clients ' +
    'that ask for it. Nothing happens to the run; call it again while `over` is false.',
  effect: 'reads',
  input: z.object({
    run: runName,
    wait_seconds: z
      .int()
      .min(1)
      .max(LONGEST_WAIT_S)
      .default(USUAL_WAIT_S)
      .describe('How long to wait; shorter than the time that your client gives a call.'),
  }),
  output: resultFields.extend({ over: z.boolean().describe('The run has ended.') }),
  answer: async ({ run: given, wait_seconds }, call) => {
    const { api } = call;
    const run = await findRun(api, given);
    if (!isOver(run)) await follow(run, wait_seconds * 1_000, call);
    const now = await api.testRun(run.id);
    const over = isOver(now);
    const result = { ...resultOf(now, await api.scenarioRuns(run.id), LISTED), over };
    const more = over ? '' : '\nThe run has not ended yet: call follow_run again.';
    return { result, text: resultText(result, `${api.url}/runs/${run.id}`) + more };
  },
});

async function follow(run: TestRun, waitMs: number, { api, signal, report }: ToolCall): Promise<void> {
  const tally = new Tally(run.total_scenarios, run.max_turns ?? DEFAULT_TURNS, run.trials);
  const tell = (): void => {
    const done = Math.floor(tally.progress * tally.total * 100) / 100;
    report(done, tally.total, `${tally.ended} of ${tally.total} scenario runs ended, ${tally.passed} passed`);
  };
  try {
    await withDeadline(
      waitMs,
      signal,
      () => new WaitIsOver(),
      (inner) =>
        followRun(api.http, {
          runId: run.id,
          signal: inner,
          patienceMs: PATIENCE_MS,
          onEvent: (event) => {
            tally.note(event);
            tell();
          },
          onConnection: () => undefined,
          isOver: async () => isOver(await api.testRun(run.id)),
        }),
    );
  } catch (error) {
    if (!(error instanceof WaitIsOver)) throw error;
  }
}
