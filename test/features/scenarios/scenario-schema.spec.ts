import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { readScenarioFile } from '../../../src/features/scenarios/files/read-scenario-file';
import { SCHEMA_FILE, scenarioSchemaText } from '../../../src/features/scenarios/files/scenario-json-schema';
import { scenarioFile } from '../../../src/features/scenarios/scenario-file';

const LIBRARY = join(__dirname, '../../../content/scenarios');
const textOf = (path: string) => readFileSync(join(LIBRARY, path), 'utf8');
const TWISTED_ANKLE = textOf('pain_and_injury/twisted-ankle-after-football.yaml');

describe('the JSON Schema of the files', () => {
  const validate = new Ajv({ allErrors: true }).compile(JSON.parse(textOf(SCHEMA_FILE)));

  it('is what files are checked by; npm run stations:format writes it', () => {
    expect(textOf(SCHEMA_FILE)).toBe(scenarioSchemaText());
  });

  it('accepts every file of the library', () => {
    const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
    for (const file of files) {
      validate(readScenarioFile(textOf(file)));
      expect({ file, errors: validate.errors }).toEqual({ file, errors: null });
    }
  });

  it.each([
    ['a field without a meaning', 'severity: low', 'sevrity: low'],
    ['another severity', 'severity: low', 'severity: mild'],
    ['another disposition', 'disposition: self_care', 'disposition: home'],
    ['points that are words', 'points: 4', 'points: four'],
    ['a misspelt field of a criterion', 'points: 3', 'points: 3\n    by_trun: 2'],
    ['a text where a list belongs', 'tags: [pain_and_injury', 'tags: pain_and_injury #'],
    ['no name', 'name: Twisted ankle after football\n', ''],
    ['no criteria', /rubric_criteria:[^]*/, 'rubric_criteria: []\n'],
    ['an age that nobody has', 'age: 27', 'age: 270'],
    ['an empty chief complaint', /chief_complaint: .*/, 'chief_complaint: " "'],
  ])('refuses %s, as an import does', (_, right, wrong) => {
    const text = TWISTED_ANKLE.replace(right, wrong);
    expect(text).not.toBe(TWISTED_ANKLE);
    const value = readScenarioFile(text);
    expect(validate(value)).toBe(false);
    expect(scenarioFile.safeParse(value).success).toBe(false);
  });

  it('keeps room in the content for what others keep there', () => {
    const value = readScenarioFile(TWISTED_ANKLE.replace('content:\n', 'content:\n  ward: { beds: 4 }\n'));
    expect(validate(value)).toBe(true);
    expect(scenarioFile.parse(value).content).toMatchObject({ ward: { beds: 4 } });
  });

  it('tells editors what every field is', () => {
    const { properties, definitions } = JSON.parse(scenarioSchemaText());
    const fields = { ...properties, ...properties.content.properties, ...definitions.ScenarioSource.properties };
    expect(Object.keys(fields).filter((name) => !/\w{3}.*\.$/.test(fields[name].description ?? ''))).toEqual([]);
  });
});
