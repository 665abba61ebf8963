import { isUsualPatient, patientName, speaksEnglish, type PatientProfile } from '../../src/domain/patient';

describe('a patient', () => {
  it.each<[PatientProfile, string, boolean, boolean]>([
    [{ style: 'cooperative', language: 'en' }, 'cooperative patient', true, true],
    [{ style: 'cooperative', language: 'en-GB' }, 'cooperative patient, en-GB', false, true],
    [{ style: 'low_literacy', language: 'en' }, 'low literacy patient', false, true],
    [{ style: 'anxious', language: 'de' }, 'anxious patient, de', false, false],
    [{ style: 'anxious', language: 'enm' }, 'anxious patient, enm', false, false],
    [{ style: 'anxious', language: 'de-en' }, 'anxious patient, de-en', false, false],
  ])('%j is called %s; usual: %s; English: %s', (patient, name, isUsual, isEnglish) => {
    expect(patientName(patient)).toBe(name);
    expect(isUsualPatient(patient)).toBe(isUsual);
    expect(speaksEnglish(patient)).toBe(isEnglish);
  });
});
