/** Lists of scenarios that are run together: `/api/v1/test-suites`. */

export { SuitesModule } from './suites.module';
export { TestSuitesStore } from './test-suites.store';
