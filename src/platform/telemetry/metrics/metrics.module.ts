import { Global, Module } from '@nestjs/common';
import { fullNameOf } from '../../config/model-name';
import { Settings } from '../../config/settings';
import { VERSION } from '../../config/version';
import { Metrics, silentMetrics } from './metrics';
import { PrometheusMetrics } from './prometheus.metrics';

/** What every part counts with: one for each application, also when several run in one process. */
@Global()
@Module({
  providers: [
    {
      provide: Metrics,
      useFactory: ({ metrics, examiners: { tester, judge, allowed } }: Settings): Metrics => {
        if (!metrics) return silentMetrics;
        const configured = [tester, judge].flatMap((model) => (model === null ? [] : [fullNameOf(model)]));
        return new PrometheusMetrics([...configured, ...allowed.map(({ name }) => name), VERSION]);
      },
      inject: [Settings],
    },
  ],
  exports: [Metrics],
})
export class MetricsModule {}
