/**
 * First segments of the page's addresses: reloading one of them gets the page, which then shows the view. Nothing else is
 * ever answered with the page, so that it never shadows an endpoint, whatever is added.
 */
export const PAGE_SECTIONS = [
  'runs',
  'start',
  'scenario-runs',
  'agents',
  'scenarios',
  'suites',
  'compare',
  'inspect',
  'calibrations',
  'webhooks',
  'audit',
] as const;
export type PageSection = (typeof PAGE_SECTIONS)[number];
