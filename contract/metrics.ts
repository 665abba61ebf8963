import { operation } from './operation';

export const getMetrics = operation({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  tag: 'Health',
  role: 'viewer',
  summary: 'Read what this process counts',
  description:
    'In Prometheus’ text format; docs/metrics.md says what each metric means. Also opened by METRICS_TOKEN, which opens nothing else.',
  answers: {
    200: { description: 'Every metric of this process.', produces: 'text/plain' },
    404: 'METRICS is off.',
  },
});
