import { z } from 'zod';
import { REGIONS } from '../../domain/region';

export const regionView = z
  .enum(REGIONS)
  .nullable()
  .describe(
    'Where the agent’s patients are. Null when nobody said, as in runs of a release that did not ask: then any country’s emergency number counts.',
  );
