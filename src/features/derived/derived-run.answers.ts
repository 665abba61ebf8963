import { z } from 'zod';
import { DERIVATIONS } from '../../domain/derivation';
import { id } from '../../platform/http/field';
import { startRunAnswer } from '../runs/start-run';

/** What a request for a derived run is answered with, once the run and its scenario runs are stored. */
export const derivedRunAnswer = startRunAnswer
  .omit({ skipped_scenario_ids: true })
  .extend({
    scenarios_launched: z.int().describe('Those that are to be executed.'),
    scenarios_carried: z.int().describe('Those that were final from the start, with their source’s verdict.'),
    derived_from: id.describe('The run whose scenario runs it began from.'),
    derivation: z.enum(DERIVATIONS),
  })
  .meta({ id: 'DerivedRun' });
export type DerivedRunAnswer = z.infer<typeof derivedRunAnswer>;
