import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Endpoint } from '../http/endpoint';
import { HealthService } from './health.service';
import { healthView, liveView, type HealthView, type LiveView } from './health.view';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Endpoint({
    id: 'getHealth',
    role: 'anyone',
    summary: 'Check the health of the service',
    answers: {
      200: { description: 'The service is healthy; warnings say what is limited.', schema: healthView },
      503: {
        description: 'The database or the bus is out of reach, or the database accepts no writes.',
        schema: healthView,
      },
    },
  })
  async examine(@Res({ passthrough: true }) response: Response): Promise<HealthView> {
    const health = await this.health.examine();
    if (health.status === 'error') response.status(503);
    return health;
  }

  @Get('live')
  @Endpoint({
    id: 'getLiveness',
    role: 'anyone',
    summary: 'Check that the process is running',
    answers: { 200: { description: 'The process is running.', schema: liveView } },
  })
  live(): LiveView {
    return { status: 'ok' };
  }
}
