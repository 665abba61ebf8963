/**
 * The tester, which plays the patient: a language model or offline rules behind the port `Tester`. No message of it reaches the
 * agent before the gate has let it pass.
 */

// The port, and those that this process can provide.
export {
  Tester,
  Testers,
  TesterError,
  ScenarioGenerator,
  type GeneratedScenario,
  type GenerationRequest,
} from './tester';
export { OfflineTester } from './offline.tester';
export { TesterModule } from './tester.module';

// A message, from the role card to what is sent.
export { roleCardOf } from './role-card';
export { composeMessage } from './composed-message';
export type { PatientFault } from './patient-fault';
export type { GateFault } from './gate/gate-request';
export { quotable } from './gate/message-gate';
export type { AuditRequest } from './audit/audit-prompt';
