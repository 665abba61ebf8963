import { BadRequestException } from '@nestjs/common';
import { isUsualPatient, patientName, type PatientProfile } from '../../domain';
import type { Tester } from '../../examiners/tester';

/** @throws BadRequestException when the offline tester, which recites English scripts, is asked for more */
export function checkPatients(patients: readonly PatientProfile[], tester: Pick<Tester, 'model'>): void {
  const other = patients.find((patient) => !isUsualPatient(patient));
  if (other === undefined || tester.model !== null) return;
  throw new BadRequestException(
    `patients: the offline tester recites its script, so it cannot play "${patientName(other)}"; leave patients out, or set up a language model as tester.`,
  );
}
