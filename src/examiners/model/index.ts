/**
 * The language models that play and mark: one client for all vendors, what their answers cost, and the limit of a day’s spend.
 */

// Usage and spend.
export { sumOfUsage, NO_USAGE, type ModelUsage } from './model-usage';
export { ModelSpend, type SpendReached } from './model-spend';
export { ModelSpendStore } from './model-spend.store';

// The client.
export { familyOf } from './model-family';
export { ModelModule } from './model.module';
