/** Our identity in a room. @param execution names the scenario run and its attempt */
export function patientIdentity(execution: string): string {
  return `osce-patient-${execution}`;
}

/** One of our own participants, of this or another process, whatever the kind of agent: never the agent. */
export function isPatient(identity: string): boolean {
  return /^(osce-patient|patient-osce)-/.test(identity);
}
