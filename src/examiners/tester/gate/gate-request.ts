import type { Turn, PatientProfile } from '../../../domain';
import type { PatientFault } from '../patient-fault';
import type { RoleCard } from '../role-card';

/** A message of the patient that has not been sent yet, and everything it is checked against. */
export interface GateRequest {
  readonly message: string;
  readonly card: RoleCard;
  readonly patient: PatientProfile;
  /** Texts of the rubric's criteria. */
  readonly criteria: readonly string[];
  readonly greeting: string | null;
  readonly history: readonly Pick<Turn, 'patientMessage' | 'agentMessage'>[];
}

/** A fault in a message; the message does not know its turn. */
export type GateFault = Omit<PatientFault, 'turn'>;

/** Only the beginning and the end of a longer reply count: no tester reads more of it. */
const MAX_HEARD = 8_000;

/** What the agent has said, to the extent that a tester reads it. */
export function agentTexts({ greeting, history }: GateRequest): string[] {
  return [greeting ?? '', ...history.map(({ agentMessage }) => agentMessage)].map(heardOf);
}

function heardOf(reply: string): string {
  return reply.length <= 2 * MAX_HEARD ? reply : `${reply.slice(0, MAX_HEARD)}\n${reply.slice(-MAX_HEARD)}`;
}

/** The request without what the gate ignores: replies may be very long. */
export function boundedRequest(request: GateRequest): GateRequest {
  const { greeting, history } = request;
  return {
    ...request,
    greeting: greeting === null ? null : heardOf(greeting),
    history: history.map(({ patientMessage, agentMessage }) => ({
      patientMessage,
      agentMessage: heardOf(agentMessage),
    })),
  };
}

/** The strings and numbers in the demographics, whatever their keys. */
export function demographicText({ demographics }: RoleCard): string {
  return JSON.stringify(demographics)
    .slice(0, MAX_HEARD)
    .replace(/["{}[\],:_]+/g, ' ; ');
}
