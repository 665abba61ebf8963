import { z } from 'zod';

/** The body of every error. */
export const refusal = z
  .strictObject({ error: z.string().describe('What is wrong, in a sentence for people.') })
  .meta({ id: 'Error', examples: [{ error: 'Agent not found' }] });
