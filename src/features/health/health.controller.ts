import { Controller, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { isStranger, type Caller } from '../../platform/access';
import { FromCaller, Serves } from '../../platform/http';
import { HealthService, Readiness } from './health.service';
import {
  getHealth,
  getReadiness,
  getLiveness,
  type HealthView,
  type LiveView,
  type ReadyView,
  type HealthCheck,
} from '../../../contract/health';

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

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly readiness: Readiness,
  ) {}

  // A caller with a key is told more: no proxy or browser may keep that.

  @Header('Cache-Control', 'no-store')
  @Serves(getHealth)
  async examine(@FromCaller() caller: Caller, @Res({ passthrough: true }) response: Response): Promise<HealthView> {
    const health = await this.health.examine();
    if (health.status === 'error') response.status(503);
    return isStranger(caller) ? healthForStrangers(health) : health;
  }

  @Serves(getReadiness)
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyView> {
    const ready = await this.readiness.examine();
    if (ready.status === 'error') response.status(503);
    return ready;
  }

  @Serves(getLiveness)
  live(): LiveView {
    return { status: 'ok' };
  }
}
