import { Global, Module } from '@nestjs/common';
import { Log } from '../config/log';
import { Settings } from '../config/settings';
import { CommittedEvents } from './committed-events';
import { Database } from './database';
import { EventLogStore } from './event-log.store';
import { OwnershipStore } from './ownership.store';
import { ScenarioRunClaims } from './scenario-run.claims';
import { ScenarioRunLedger } from './scenario-run.ledger';
import { ScenarioRunsStore } from './scenario-runs.store';
import { ScenarioSelectionStore } from './scenario-selection.store';
import { TestRunLedger } from './test-run.ledger';
import { TestRunsStore } from './test-runs.store';

const STORES = [
  CommittedEvents,
  EventLogStore,
  OwnershipStore,
  ScenarioRunClaims,
  ScenarioRunLedger,
  ScenarioRunsStore,
  ScenarioSelectionStore,
  TestRunLedger,
  TestRunsStore,
];

/** The database, open before anything that asks for it is built, and closed after everything else has stopped. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (settings: Settings, log: Log) => Database.open(settings, log),
      inject: [Settings, Log],
    },
    ...STORES,
  ],
  exports: [Database, ...STORES],
})
export class PersistenceModule {}
