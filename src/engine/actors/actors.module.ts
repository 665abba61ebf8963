import { Module } from '@nestjs/common';
import { AbandonedRuns } from './abandoned-runs';
import { ActorHost } from './actor-host';
import { ActorTimes } from './actor-times';
import { ActorsLifecycle } from './actors.lifecycle';
import { AttemptLeases } from './attempt-leases';
import { Cancellations } from './cancellations';
import { ExaminerSelection } from './examiner-selection';
import { Executions } from './executions';
import { Heartbeat } from './heartbeat';
import { OwnershipWatch } from './ownership-watch';
import { ProcessId } from './process-id';
import { Reconciler, WorkOffers } from './reconciler';
import { ScenarioRunActors } from './scenario-run-actors';
import { ServiceProcesses } from './service-processes';
import { Settlements } from './settlements';
import { SpokenConversations } from './spoken-conversations';
import { TestRunActors } from './test-run-actors';
import { TestRunEffects } from './test-run.effects';
import { UnstartedScenarioRuns, WorkIntake } from './work-intake';

/** The live actors of this process: their host, their intake of work, their reports and the checks on their leases. */
@Module({
  providers: [
    AbandonedRuns,
    ActorHost,
    ActorTimes,
    ActorsLifecycle,
    AttemptLeases,
    Cancellations,
    ExaminerSelection,
    Executions,
    Heartbeat,
    OwnershipWatch,
    ProcessId,
    Reconciler,
    ScenarioRunActors,
    ServiceProcesses,
    Settlements,
    SpokenConversations,
    TestRunActors,
    TestRunEffects,
    UnstartedScenarioRuns,
    WorkIntake,
    WorkOffers,
  ],
  exports: [ActorHost, ActorsLifecycle, Cancellations, ProcessId, ServiceProcesses, SpokenConversations, TestRunActors],
})
export class ActorsModule {}
