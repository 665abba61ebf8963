import { z } from 'zod';
import { filledText } from '../../http/field';
import { open } from '../start-run';

/** Body of POST /api/v1/tests/{id}/regrade. */
export const regradeRequest = z
  .object({
    rubric: z
      .enum(['as_run', 'current'])
      .default('as_run')
      .describe(
        'Which rubric: the one that the conversations were marked with, or the one that their scenarios have now. A conversation whose scenario ' +
          'the library does not have keeps its own.',
      ),
    judge_model: open(filledText(220)).describe(
      'The model that marks, out of ALLOWED_MODELS; the one that the run had asked for by default.',
    ),
  })
  .prefault({})
  .meta({ id: 'Regrade', examples: [{ rubric: 'current' }] });
export type RegradeRequest = z.output<typeof regradeRequest>;
