import { isUsualPatient, patientName } from '../../../src/domain';
import type { GridCell } from '../../../contract/grid';

export type TrialConversation = NonNullable<GridCell['conversations']>[number];

/** One way to hold each conversation: a trial with a patient. */
export interface TrialColumn {
  readonly trial: number;
  /** Null for the usual one. */
  readonly patient: string | null;
}

export interface TrialTable {
  /** Trial by trial, the patients in the order in which they were first met. */
  readonly columns: readonly TrialColumn[];
  /** For each scenario its conversation in each column; null where it has none. */
  readonly rows: readonly (readonly (TrialConversation | null)[])[];
}

/** Sets the conversations of several scenarios under each other. @param conversations of each scenario */
export function trialTable(conversations: readonly (readonly TrialConversation[])[]): TrialTable {
  const columns = new Map<string, TrialColumn & { readonly place: number }>();
  const patients = new Map<string, number>();
  for (const { trial, patient } of conversations.flat()) {
    const named = patientName(patient);
    const place = patients.get(named) ?? patients.size;
    patients.set(named, place);
    columns.set(`${trial} ${named}`, { trial, patient: isUsualPatient(patient) ? null : named, place });
  }
  const inOrder = [...columns].sort(([, one], [, other]) => one.trial - other.trial || one.place - other.place);
  return {
    columns: inOrder.map(([, { trial, patient }]) => ({ trial, patient })),
    rows: conversations.map((held) => {
      const byColumn = new Map(held.map((one) => [`${one.trial} ${patientName(one.patient)}`, one]));
      return inOrder.map(([key]) => byColumn.get(key) ?? null);
    }),
  };
}
