import { Controller, Get, NotFoundException, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Endpoint } from '../../platform/http/endpoint';
import { Metrics } from '../../platform/telemetry/metrics/metrics';
import { PrometheusMetrics } from '../../platform/telemetry/metrics/prometheus.metrics';

@ApiTags('Health')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Endpoint({
    id: 'getMetrics',
    role: 'viewer',
    summary: 'Read what this process counts',
    description:
      'In Prometheus’ text format; docs/metrics.md says what each metric means. Also opened by METRICS_TOKEN, which opens nothing else.',
    answers: {
      200: { description: 'Every metric of this process.', produces: 'text/plain' },
      404: 'METRICS is off.',
    },
  })
  async scrape(@Res() response: Response): Promise<void> {
    const { metrics } = this;
    if (!(metrics instanceof PrometheusMetrics))
      throw new NotFoundException('This process counts nothing: METRICS is off.');
    const text = await metrics.scrape();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    // Not `send`, which answers 304 to whoever claims to have any version of it: every scrape is another.
    response.end(text);
  }
}
