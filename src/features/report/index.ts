/** The result of a run: a page that prints, and JSON with a hash that tells whether it was changed. */

export { ReportModule } from './report.module';
export { RunReportStore } from './run-report.store';
