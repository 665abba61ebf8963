import { Module } from '@nestjs/common';
import { ActorHost } from './actor-host';
import { ActorsLifecycle } from './actors.lifecycle';
import { Cancellations } from './cancellations';
import { Heartbeat } from './heartbeat';
import { ProcessId } from './process-id';
import { Reconciler } from './reconciler';
import { UnstartedScenarioRuns } from './unstarted-scenario-runs';
import { WorkIntake } from './work-intake';
import { WorkOffers } from './work-offers';

/** The live actors of this process: their host, what they take on, what they tell and what keeps them honest. */
@Module({
  providers: [
    ActorHost,
    ActorsLifecycle,
    Cancellations,
    Heartbeat,
    ProcessId,
    Reconciler,
    UnstartedScenarioRuns,
    WorkIntake,
    WorkOffers,
  ],
  exports: [ActorHost, Cancellations, ProcessId],
})
export class ActorsModule {}
