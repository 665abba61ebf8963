import { CRITERIA } from './processes/stub-servers';
import type { NewScenario } from './service-client';

/** A scenario as large as one written by hand: a script of a dozen facts and a rubric. */
export function benchScenarios(count: number): NewScenario[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `Bench ${String(number).padStart(5, '0')}: chest pain at rest`,
    category: 'emergency',
    severity: 'critical',
    scenario_type: 'custom',
    approved: true,
    priority: 1_000,
    tags: ['bench'],
    content: {
      script: FACTS.join(' '),
      demographics: { age: 58, gender: 'male' },
      chief_complaint: 'I have a pressing pain in the middle of my chest.',
    },
    rubric_criteria: CRITERIA_TEXTS.slice(0, CRITERIA).map((criterion) => ({ criterion, points: 10, tags: [] })),
  }));
}

const FACTS = [
  'The pain began an hour ago while you watched television.',
  'It goes into your left arm and your jaw.',
  'You are sweating and feel sick.',
  'You have never had this before.',
  'You take a tablet for high blood pressure every morning.',
  'You do not know the name of the tablet.',
  'You smoke ten cigarettes a day.',
  'Your father died of a heart attack at sixty.',
  'You are not allergic to anything.',
  'Your wife is at work and you are alone at home.',
  'You would rather wait than bother the emergency services.',
  'You last ate four hours ago.',
];

const CRITERIA_TEXTS = [
  'Tells the patient to call 911 now',
  'Tells the patient not to drive',
  'Asks whether anybody is with the patient',
  'Says that a doctor is needed at once',
];
