import { z } from 'zod';
import { givenId } from './field';
import { confidence } from './statistics';
import { minCoverage } from './comparison';
import { operation } from './operation';

export const EXPORT_FORMATS = ['csv', 'json', 'junit'] as const;

const exportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).describe('csv: one row per scenario run; json: everything; junit: for CI.'),
  before: givenId
    .optional()
    .describe(
      'UUID or label of a run to compare with: junit then has a second test suite, which says whether this run is worse.',
    ),
  confidence,
  min_coverage: minCoverage,
});

const attached = (...produces: string[]) => ({ 200: { description: 'The run as an attachment.', produces } });

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportTestRun = operation({
  id: 'exportTestRun',
  method: 'GET',
  path: '/api/v1/tests/{id}/export',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Download a test run with its scenario runs',
  description:
    'csv has one row per scenario run, with the flags that call for a second look (separated by spaces) and the number of disputed criteria. ' +
    'junit has both as properties of the test case, where there are any. json has everything.',
  query: exportQuery,
  answers: {
    ...attached('text/csv', 'application/json', 'application/xml'),
    400: 'format is missing or unknown, or before is given for another format than junit or is the run itself.',
    404: 'Test run not found',
    409: 'before is given, and either run is under way.',
  },
});

export const exportTestRunCsv = operation({
  id: 'exportTestRunCsv',
  method: 'GET',
  path: '/api/v1/tests/{id}/export-csv',
  tag: 'Test runs',
  role: 'viewer',
  summary: 'Download a test run as CSV',
  description: 'The same as export?format=csv.',
  answers: { ...attached('text/csv'), 404: 'Test run not found' },
});
