import { z } from 'zod';
import { PATIENT_STYLES, USUAL_PATIENT, patientName } from '../src/domain';

const MAX_PATIENTS = 20;

const LANGUAGE_WANTED = 'must be a language tag (BCP 47) such as en, de or pt-BR';

function canonicalOf(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

const language = z
  .string()
  .max(35, LANGUAGE_WANTED)
  .transform((tag, context) => {
    const canonical = canonicalOf(tag);
    if (canonical === null) context.issues.push({ code: 'custom', message: LANGUAGE_WANTED, input: tag });
    return canonical ?? USUAL_PATIENT.language;
  });

/** The patients that a run asks for, in canonical form and each once. */
export const patientProfiles = z
  .array(
    z.object({
      style: z.enum(PATIENT_STYLES).default(USUAL_PATIENT.style),
      language: language.default(USUAL_PATIENT.language),
    }),
  )
  .min(1)
  .max(MAX_PATIENTS)
  .refine((patients) => new Set(patients.map(patientName)).size === patients.length, {
    error: 'must name each patient once',
  });

export const patientView = z
  .object({ style: z.enum(PATIENT_STYLES), language: z.string().describe('BCP 47') })
  .describe('How the patient behaves, and which language it speaks.');
