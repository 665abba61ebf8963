import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { Log } from '../config/log';
import { Settings } from '../config/settings';
import { Egress } from './egress';

/** How requests leave the service, for everything that calls another; says so in the log when it is not directly. */
@Global()
@Module({
  providers: [{ provide: Egress, useFactory: ({ egress }: Settings) => new Egress(egress), inject: [Settings] }],
  exports: [Egress],
})
export class EgressModule implements OnModuleInit {
  constructor(
    private readonly egress: Egress,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    if (this.egress.proxies.length === 0) return;
    this.log.info('Requests leave through a proxy', {
      ...this.egress.shown,
      for: 'language models, agents, webhooks, traces, the provider of identities',
      directly: 'loopback, hosts in NO_PROXY, PostgreSQL, NATS, media of LiveKit rooms',
    });
  }
}
