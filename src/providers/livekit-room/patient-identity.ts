/** Who we are in a room. @param execution names the scenario run and its attempt */
export function patientIdentity(execution: string): string {
  return `osce-patient-${execution}`;
}

/** One of us, of this or another process, in whatever kind of agent's room: never the agent. */
export function isPatient(identity: string): boolean {
  return /^(osce-patient|patient-osce)-/.test(identity);
}
