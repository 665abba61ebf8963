import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { slugOf } from '../../../cli/scenario-folder/file-names';
import { readScenarioFile } from '../../../src/features/scenarios/files/read-scenario-file';
import { scenarioFileText } from '../../../src/features/scenarios/files/scenario-file-text';

const LIBRARY = join(__dirname, '../../../content/scenarios');

const named = z.looseObject({ category: z.string(), name: z.string() });

describe('the files of the library', () => {
  it('are written as the service writes scenarios; npm run stations:format does it', () => {
    const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
    const otherwise = files.filter((path) => {
      const text = readFileSync(join(LIBRARY, path), 'utf8');
      return scenarioFileText(z.looseObject({}).parse(readScenarioFile(text))) !== text;
    });
    expect(otherwise).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(24);
  });

  it('are where an export into an empty folder writes them', () => {
    const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
    for (const file of files) {
      const { category, name } = named.parse(readScenarioFile(readFileSync(join(LIBRARY, file), 'utf8')));
      expect(file).toBe(join(slugOf(category), `${slugOf(name)}.yaml`));
    }
  });
});
