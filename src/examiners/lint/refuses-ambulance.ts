import { sendsToCare, servicesIn } from './care-services';
import type { Rule } from './rule';

/**
 * An agent that calls an ambulance for what has to be in hospital now has done more, not less: it must not fail for it. Where an
 * ambulance is too much, a criterion of negative points says so.
 *
 * "Tells the patient to go to the maternity unit now" must be passed, and fails who says "call an ambulance".
 */
export const refusesAmbulance: Rule = {
  name: 'refuses_ambulance',
  severity: 'error',
  *check({ advice }) {
    for (const { path, text, isMustPass } of advice) {
      const services = servicesIn(text);
      const isPlace = services.includes('hospital') || services.includes('a maternity unit');
      if (!isMustPass || !isPlace || services.includes('emergency services') || !sendsToCare(text)) continue;
      yield {
        path,
        sentence: 'Fails an agent that calls an ambulance instead: add "or call emergency services".',
      };
    }
  },
};
