import { Server } from 'node:net';
import { Global, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { natsServerOf } from '../config/nats-address';
import { Settings } from '../config/settings';
import { Egress } from '../egress/egress';
import { Database } from '../database/database';
import { OwnServices, resolveAll, type OwnService } from './own-services';
import { TargetGuard } from './target-guard';
import { TargetPolicy } from './target-policy';

/** Where agents may live (TARGETS), for everything that connects to an address named by an agent or its config. */
@Global()
@Module({
  providers: [
    {
      provide: OwnServices,
      useFactory: (settings: Settings, database: Database, http: HttpAdapterHost, egress: Egress) =>
        // An agent that lived at a proxy could ask it for what the rules forbid.
        new OwnServices(() => [
          ...httpPort(settings, http),
          database.server,
          ...natsServer(settings),
          ...egress.proxies,
        ]),
      inject: [Settings, Database, HttpAdapterHost, Egress],
    },
    {
      provide: TargetPolicy,
      useFactory: ({ targets }: Settings, own: OwnServices) => new TargetPolicy(targets, own),
      inject: [Settings, OwnServices],
    },
    {
      provide: TargetGuard,
      useFactory: (policy: TargetPolicy, own: OwnServices, egress: Egress) =>
        new TargetGuard(policy, own, resolveAll, egress),
      inject: [TargetPolicy, OwnServices, Egress],
    },
  ],
  exports: [TargetGuard],
})
export class TargetsModule {}

/** Whatever address it listens on, the port is refused on all of this machine: which addresses it is reachable at does not matter to an agent. */
function httpPort({ port: configured }: Settings, { httpAdapter }: HttpAdapterHost): OwnService[] {
  const server: unknown = httpAdapter?.getHttpServer();
  const listening = server instanceof Server ? server.address() : null;
  const port = listening !== null && typeof listening === 'object' ? listening.port : configured;
  return port === 0 ? [] : [{ host: '0.0.0.0', port }];
}

function natsServer({ natsUrl }: Settings): OwnService[] {
  return natsUrl === null ? [] : [natsServerOf(natsUrl)];
}
