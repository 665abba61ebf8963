import { Global, Module } from '@nestjs/common';
import { Log, Settings } from '../platform/config';
import { Metrics } from '../platform/telemetry';
import { TargetGuard } from '../platform/targets';
import { RequestBudgetStore } from './outbound/request-budget.store';
import { InProcessRequestBudget } from './outbound/in-process.request-budget';
import { ProviderRegistry } from './registry';
import { RequestBudget } from './outbound/limiter';
import { serviceSecretsOf } from './secrets/service-secrets';
import { SharedRequestBudget } from './outbound/shared.request-budget';

/** The kinds of target agents. With NATS there are other processes, and `requests_per_minute` holds across all of them. */
@Global()
@Module({
  providers: [
    {
      provide: RequestBudget,
      useFactory: ({ natsUrl }: Settings, store: RequestBudgetStore, log: Log): RequestBudget =>
        natsUrl === null ? new InProcessRequestBudget() : new SharedRequestBudget(store, log),
      inject: [Settings, RequestBudgetStore, Log],
    },
    {
      provide: ProviderRegistry,
      useFactory: (settings: Settings, budget: RequestBudget, targets: TargetGuard, log: Log, metrics: Metrics) =>
        new ProviderRegistry({
          budget,
          serviceSecrets: serviceSecretsOf(settings),
          targets,
          ...(settings.openaiApiKey !== null && {
            defaultOpenAiKey: { key: settings.openaiApiKey, hosts: settings.openaiApiKeyHosts },
          }),
          browser: {
            configured: settings.browserExecutable,
            dataDir: settings.dataDir,
            allowNoSandbox: settings.browserAllowNoSandbox,
          },
          log,
          metrics,
        }),
      inject: [Settings, RequestBudget, TargetGuard, Log, Metrics],
    },
  ],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
