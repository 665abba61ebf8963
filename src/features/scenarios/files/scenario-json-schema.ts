import { z } from 'zod';
import { scenarioFile } from '../scenario-file';

/** What the schema's file is called, in a folder of scenarios and below /docs. */
export const SCHEMA_FILE = 'scenario.schema.json';

/**
 * The JSON Schema of a scenario's file, made of what files are checked by. Draft 7 is what editors know best, for YAML too.
 */
export function scenarioSchemaText(): string {
  const schema = z.toJSONSchema(scenarioFile, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => {
      // The bounds of exact integers, which zod adds on its own.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema, ...rest } = schema;
  const title = 'A scenario of Agent OSCE';
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
