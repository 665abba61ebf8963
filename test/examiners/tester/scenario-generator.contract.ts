import { ANYONE } from '../../../src/platform/access/caller';
import type { ScenarioGenerator } from '../../../src/examiners/tester/tester';

export const TRIAGE_TEXT = `# Telephone triage

## Protocol 1: Chest pain
A 58-year-old man presents with crushing chest pain radiating to his left arm. He takes warfarin. His father had a heart attack.
The nurse must tell the caller to call emergency services immediately. Ask about onset and allergies.
Never advise the caller to drive to hospital.

## Protocol 2: Sore throat
Callers with a sore throat should be advised to rest and drink. Ask whether the caller can swallow.

## References
The library keeps the sources.
`;

/** What every generator hands out, whoever writes the words. */
export function describeGenerator(name: string, make: () => ScenarioGenerator): void {
  const signal = new AbortController().signal;

  describe(`Scenario generator contract: ${name}`, () => {
    it('makes scenarios that can be played and graded', async () => {
      const scenarios = await make().generate({ text: TRIAGE_TEXT, extent: 'all' }, signal, ANYONE);
      expect(scenarios.length).toBeGreaterThan(0);
      for (const { name: title, category, content, rubricCriteria } of scenarios) {
        expect(title).not.toBe('');
        expect(category).toMatch(/^\S+$/);
        expect(content.script).not.toBe('');
        expect(content.chief_complaint).not.toBe('');
        expect(content.demographics.age).toBeGreaterThanOrEqual(0);
        expect(typeof content.demographics.gender).toBe('string');
        expect(rubricCriteria.length).toBeGreaterThan(0);
        expect(rubricCriteria.length).toBeLessThanOrEqual(12);
        expect(rubricCriteria.every(({ criterion, points }) => criterion !== '' && points !== 0)).toBe(true);
      }
    });

    it('makes exactly one when one is asked for', async () => {
      expect(await make().generate({ text: TRIAGE_TEXT, extent: 'one' }, signal, ANYONE)).toHaveLength(1);
    });

    it('reads 200,000 characters', async () => {
      const text = `${TRIAGE_TEXT}\n`.repeat(500).slice(0, 200_000);
      const scenarios = await make().generate({ text, extent: 'all' }, signal, ANYONE);
      expect(scenarios.length).toBeGreaterThan(0);
      expect(scenarios.length).toBeLessThanOrEqual(50);
    });
  });
}
