import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isStranger, type Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { FromCaller } from '../../platform/http/role.guard';
import {
  HealthService,
  healthView,
  liveView,
  readyView,
  type HealthView,
  type LiveView,
  type ReadyView,
  type HealthCheck,
  Readiness,
} from './health.service';

/** Details name agents, models, addresses and what was spent. */
const SENTENCES = {
  ok: 'It works.',
  warning: 'It is limited: who asks with a service key is told how.',
  error: 'It does not work: who asks with a service key is told why.',
} as const;

/** What a probe needs, and nothing else, for a caller who has shown no key to a service that has some. */
function healthForStrangers({ checks, ...health }: HealthView): HealthView {
  const { database, bus, tester, judge, examiners, browser, spend } = checks;
  return {
    ...health,
    checks: {
      database: withoutDetail(database),
      bus: withoutDetail(bus),
      tester: withoutDetail(tester),
      judge: withoutDetail(judge),
      ...(examiners !== undefined && { examiners: withoutDetail(examiners) }),
      browser: withoutDetail(browser),
      ...(spend !== undefined && { spend: withoutDetail(spend) }),
    },
    setup: {},
  };
}

function withoutDetail({ status }: HealthCheck): HealthCheck {
  return { status, detail: SENTENCES[status] };
}

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly readiness: Readiness,
  ) {}

  // A caller with a key is told more: no proxy or browser may keep that.
  @Get()
  @Header('Cache-Control', 'no-store')
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
  async examine(@FromCaller() caller: Caller, @Res({ passthrough: true }) response: Response): Promise<HealthView> {
    const health = await this.health.examine();
    if (health.status === 'error') response.status(503);
    return isStranger(caller) ? healthForStrangers(health) : health;
  }

  @Get('ready')
  @Endpoint({
    id: 'getReadiness',
    role: 'anyone',
    summary: 'Check that the process should get traffic',
    answers: {
      200: {
        description: 'It has started, reaches the database, which accepts writes, and the bus, and is not stopping.',
        schema: readyView,
      },
      503: { description: 'Another process should be asked; the checks say why.', schema: readyView },
    },
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyView> {
    const ready = await this.readiness.examine();
    if (ready.status === 'error') response.status(503);
    return ready;
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
