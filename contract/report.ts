import { z } from 'zod';
import { operation } from './operation';

const reportQuery = z.object({
  format: z
    .enum(['html', 'json'])
    .default('html')
    .describe('html: one file that prints on A4. json: `{ sha256, report }`, what the hash in it is of.'),
});

export const getRunReport = operation({
  id: 'getRunReport',
  method: 'GET',
  path: '/api/v1/tests/{id}/report',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Get the report of a test run: one page for those who decide, or its JSON with a hash',
  description:
    'Supporting evidence, never a safety case. The first page says in words what to know before the numbers. docs/report.md says how ' +
    'the hash is checked.',
  query: reportQuery,
  answers: {
    200: { description: 'The report.', produces: ['text/html', 'application/json'] },
    400: 'format is unknown.',
    404: 'Test run not found',
    409: 'The run is under way.',
  },
});
