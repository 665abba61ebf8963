import { canonicalScenario } from '../../../src/features/scenarios/files/canonical-scenario';
import { scenarioFileText } from '../../../src/features/scenarios/files/scenario-file-text';
import { readScenarioFile } from '../../../src/features/scenarios/files/read-scenario-file';

describe('a scenario in the order of a file', () => {
  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'])(
    'keeps a field of the content that is called %s',
    (name) => {
      const content = Object.fromEntries([
        ['script', 'You cough.'],
        [name, { a: [1, 'two'] }],
      ]);
      const scenario = { name: 'Odd', content };
      expect(canonicalScenario(scenario)).toMatchObject({ content: { [name]: { a: [1, 'two'] } } });
      expect(readScenarioFile(scenarioFileText(scenario))).toMatchObject({ content: { [name]: { a: [1, 'two'] } } });
    },
  );
});
