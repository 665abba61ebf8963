/** Namespace first, identifiers last, so that one wildcard covers a family. */
export const subjects = {
  cancelTestRun: (testRunId: string) => `osce.test-run.command.cancel.${testRunId}`,
  anyCancel: 'osce.test-run.command.cancel.*',
  testRunEvent: (testRunId: string) => `osce.test-run.event.${testRunId}`,
  /** A scenario-run actor reports to its test-run actor that its row is final. */
  settlement: (testRunId: string) => `osce.test-run.settlement.${testRunId}`,
  /** Asks where each of these actors of the process stands. */
  inspectActors: (processId: string) => `osce.inspection.actors.${processId}`,
  /** Asks for everything about one actor of the process. */
  inspectActor: (processId: string) => `osce.inspection.actor.${processId}`,
  /** Someone is watching the actor, wherever it lives; repeated for as long as they do. */
  watchActor: (actorId: string) => `osce.inspection.watch.${actorId}`,
  anyWatch: 'osce.inspection.watch.*',
  /** A transition of an actor that is watched. */
  actorTransition: (actorId: string) => `osce.inspection.transition.${actorId}`,
  scenarioRunWork: 'osce.work.scenario-run',
} as const;
