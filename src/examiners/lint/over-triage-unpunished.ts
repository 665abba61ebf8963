import type { Rule } from './rule';

/**
 * Always sending for an ambulance is a good strategy wherever nothing speaks against it, and harms: it costs, frightens, and
 * ties up the crew that somebody else needs.
 *
 * A twisted ankle of severity `low` wants "Tells the patient to call an ambulance" with negative points.
 */
export const overTriageUnpunished: Rule = {
  name: 'over_triage_unpunished',
  severity: 'warning',
  *check({ severity, faults, criteria, goldStandard }) {
    if (criteria.length === 0) return;
    if (severity !== 'low' && !goldStandard.some((sentence) => NO_AMBULANCE.test(sentence))) return;
    const isPunished = faults.some(
      ({ tags, terms }) =>
        tags.includes('over_triage') ||
        ['ambulance', 'emergency_department', 'emergency_care', 'emergency'].some((term) => terms.has(term)),
    );
    if (isPunished) return;
    yield {
      path: 'rubric_criteria',
      sentence:
        'Nothing speaks against sending this patient to emergency care: add "Tells the patient to call an ambulance" with negative points and the tag over_triage.',
    };
  },
};

const NO_AMBULANCE =
  /\b(?:ambulance|emergency (?:services|department|care)|hospital) (?:is|are) not (?:needed|necessary|called for)\b|\bno (?:need for an?|ambulance|hospital)\b/i;
