import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { InProcessRequestBudget } from './in-process.request-budget';
import { ProviderRegistry } from './registry';
import { RequestBudget } from './request-budget';

/** The kinds of target agents. Processes that share a database replace the RequestBudget with one they share too. */
@Global()
@Module({
  providers: [
    { provide: RequestBudget, useFactory: () => new InProcessRequestBudget() },
    {
      provide: ProviderRegistry,
      useFactory: ({ openaiApiKey }: Settings, budget: RequestBudget) =>
        new ProviderRegistry({ budget, defaultOpenAiKey: openaiApiKey ?? undefined }),
      inject: [Settings, RequestBudget],
    },
  ],
  exports: [ProviderRegistry],
})
export class ProvidersModule {}
