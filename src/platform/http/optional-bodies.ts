import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type Schema = NonNullable<Components['schemas']>[string];

/** Says which bodies may be left out: those whose schema has a default (`.prefault({})`). Nest calls every body required. */
export function withOptionalBodies(document: OpenAPIObject): OpenAPIObject {
  for (const { post, put, patch } of Object.values(document.paths)) {
    for (const operation of [post, put, patch]) {
      const body = operation?.requestBody;
      if (body === undefined || '$ref' in body) continue;
      const schema = resolve(body.content['application/json']?.schema, document);
      if (schema !== undefined && !('$ref' in schema) && schema.default !== undefined) body.required = false;
    }
  }
  return document;
}

function resolve(schema: Schema | undefined, { components }: OpenAPIObject): Schema | undefined {
  if (schema === undefined || !('$ref' in schema)) return schema;
  return components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
}
