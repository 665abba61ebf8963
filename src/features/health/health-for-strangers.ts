import type { HealthCheck, HealthView } from './health.view';

/** Details name agents, models, addresses and what was spent. */
const SENTENCES = {
  ok: 'It works.',
  warning: 'It is limited: who asks with a service key is told how.',
  error: 'It does not work: who asks with a service key is told why.',
} as const;

/** What a probe needs, and nothing else, for who has shown no key to a service that has some. */
export function healthForStrangers({ checks, ...health }: HealthView): HealthView {
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
