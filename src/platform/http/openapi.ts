import { dirname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { TAGS } from '../../../contract/operation';
import { VERSION } from '../config/version';
import { withCommonAnswers } from './common-answers';
import { OTHER_FORMS } from './endpoint';

const DESCRIPTION = `Runs clinical test scenarios against configured AI agents and reports pass rates.

Start a run with \`POST /start-run\`, follow it on \`GET /events\` or poll \`GET /api/v1/tests/{id}\`, then read each
scenario's verdict with \`GET /api/v1/scenario-runs\`. Fields that a request body does not know are ignored.
Each operation names in \`x-role\` the role that a caller needs for it: \`viewer\`, \`reviewer\`, \`runner\` or \`admin\`, or \`anyone\`.
What makes something takes an \`Idempotency-Key\`, so that sending it again makes nothing twice.
Errors are \`{ "error": string }\`.`;

/** OpenAPI 3.1 of the whole service, generated from the zod schemas that check requests and type answers. */
export function describeApi(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Agent OSCE')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'The service that this document was read from.')
    // Not addBearerAuth: it calls every key a JWT.
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'Only when a service key is set.' })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key.' }, 'apiKey')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('apiKey');
  for (const [tag, sentence] of Object.entries(TAGS)) builder.addTag(tag, sentence);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    autoTagControllers: false,
    standardSchemaConverter: (schema, { schemaType }) => {
      if (!(schema instanceof z.ZodType)) throw new Error('The API is described by zod schemas.');
      return toOpenApi(schema, schemaType);
    },
  });
  return withOptionalBodies(withCommonAnswers(withOtherForms(document)));
}

/** The description at /docs/openapi.json; `serveDocsPage` shows it. */
export function serveApiDescription(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    ui: false,
  });
}

interface Converted {
  readonly schema: unknown;
  readonly components: Record<string, unknown>;
}

/** OpenAPI 3.1 schemas are JSON Schema 2020-12; schemas with an id become components. */
function toOpenApi(schema: z.ZodType, io: 'input' | 'output'): Converted {
  const { $defs: components = {}, ...converted } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Zod leaves out the examples of schemas that transform; ours show what clients send.
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (io === 'input' && Array.isArray(examples)) jsonSchema.examples = examples;
      // What zod adds on its own: regular expressions for named formats, the bounds of exact integers.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete converted.$schema;
  return { schema: converted, components };
}

const otherForms = z.record(z.string(), z.object({ schema: z.record(z.string(), z.string()) }));

/** Answers that are JSON of a schema, and other media types where a query asks for them. */
function withOtherForms(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    for (const answer of Object.values(path.get?.responses ?? {})) {
      if (answer === undefined || !(OTHER_FORMS in answer) || !('content' in answer)) continue;
      answer.content = { ...answer.content, ...otherForms.parse(answer[OTHER_FORMS]) };
      delete answer[OTHER_FORMS];
    }
  }
  return document;
}

type Components = NonNullable<OpenAPIObject['components']>;
type Schema = NonNullable<Components['schemas']>[string];

/** Says which bodies may be left out: those whose schema has a default (`.prefault({})`). Nest calls every body required. */
function withOptionalBodies(document: OpenAPIObject): OpenAPIObject {
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

const OWN = join(__dirname, 'docs');
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

const FILES: ReadonlyMap<string, string> = new Map([
  ['/docs', join(OWN, 'page.html')],
  ['/docs/page.mjs', join(OWN, 'page.mjs')],
  ['/docs/swagger-ui-bundle.js', join(SWAGGER_UI, 'swagger-ui-bundle.js')],
  ['/docs/swagger-ui.css', join(SWAGGER_UI, 'swagger-ui.css')],
]);

/**
 * Serves the page that shows the API description. It needs no key, so that a link can lead to it: it holds nothing of the service, and
 * reads /docs/openapi.json with the key that the reader has. Every other request is passed on.
 * @param others files beside it that are the same for every client, by their path
 */
export function serveDocsPage(others: ReadonlyMap<string, string> = new Map()): RequestHandler {
  return (request, response, next) => {
    const file = FILES.get(request.path) ?? others.get(request.path);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.sendFile(file);
  };
}
