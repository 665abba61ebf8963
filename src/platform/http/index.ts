/**
 * What every endpoint shares: how it is declared, who is let in, how an answer is tagged, sent and logged, and what an error
 * looks like. A method of a controller says with `Serves` which operation of the contract it answers; the rest is put before all
 * of them when the service starts.
 */

// How an endpoint is declared.
export { Serves, Recorded, WhenAway, type OutageAnswer } from './endpoint';
export { FromCaller, RoleGuard } from './role.guard';
export { requestLog, requestIdOf, identifyRequests, logRequests } from './request-log';

// What it answers with.
export {
  ifMatchOf,
  sendTagged,
  entityTag,
  firstPartsOf,
  requireMatch,
  tagged,
  withSecondPart,
  type Tagged,
} from './entity-tag';
export { jsonDocument, sendDocument, jsonDocumentOf, type JsonDocument } from './json-document';
export { clientGone, LinesOfCallers } from './lines-of-callers';

// What stands before all endpoints.
export { refuseForeignPages, OwnHosts, requireOwnHost } from './request-origin';
export { securityHeaders } from './security-headers';
export { ApiKeys, recognizeCaller, requireCaller, MetricsToken, limitRequests, type Recognition } from './admission';
export { jsonBody, answerMalformedRequests } from './read-json-body';
export { compressAnswers } from './compressed-answers';
export { cutOffStalled } from './stalled-answers';
export { RequestValidationPipe } from './validation.pipe';
export { ErrorFilter } from './error.filter';
export { NestLog } from './nest-log';
export { serveDocsPage, serveApiDescription, describeApi } from './openapi';

export { setPageHeaders, totalOf } from './page';
