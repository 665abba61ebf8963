import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { fullFormats } from 'ajv-formats/dist/formats';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly schema?: JsonSchema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly 'x-role'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { description?: string; content?: Readonly<Record<string, Media>> }>>;
}

export interface Operation extends DescribedOperation {
  readonly method: string;
  /** With parameters in braces: `/api/v1/agents/{id}`. */
  readonly path: string;
}

export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** What the service says of itself at /docs/openapi.json, and whether its answers keep to it. */
export class ApiDescription {
  readonly operations: readonly Operation[];
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: Document) {
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }];
      }),
    );
    // OpenAPI's own keywords (example, discriminator …) are no mistakes.
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    for (const [name, format] of Object.entries(fullFormats)) this.ajv.addFormat(name, format);
    this.ajv.addSchema(document, 'api');
  }

  static async of(url: string, key?: string): Promise<ApiDescription> {
    const response = await fetch(`${url}/docs/openapi.json`, {
      headers: key === undefined ? {} : { 'x-api-key': key },
    });
    const document: Document = JSON.parse(await response.text());
    return new ApiDescription(document);
  }

  /** The schema with its reference, if it is one, followed. */
  resolve(schema: JsonSchema): JsonSchema {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref']))?.[1];
    return name === undefined ? schema : (this.document.components.schemas[name] ?? {});
  }

  /** Why the answer is none that the description promises; null when it keeps its promise. */
  problemOf({ method, path, responses }: Operation, { status, contentType, text }: RawAnswer): string | null {
    const described = responses[status];
    if (described === undefined) return `status ${status} is not described`;
    const mediaType = contentType?.split(';')[0] ?? '';
    if (described.content === undefined) return text === '' ? null : 'a body where none is described';
    if (described.content[mediaType] === undefined) return `content type ${contentType} is not described`;
    if (mediaType !== 'application/json') return null;
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', mediaType, 'schema'];
    const validate = this.validator(pointer);
    const body: unknown = JSON.parse(text);
    return validate(body) ? null : this.ajv.errorsText(validate.errors);
  }

  /** Fails when a schema of the description is none. */
  compileEverything(): void {
    for (const { method, path, responses, requestBody } of this.operations) {
      const operation = ['paths', path, method.toLowerCase()];
      for (const mediaType of Object.keys(requestBody?.content ?? {})) {
        this.validator([...operation, 'requestBody', 'content', mediaType, 'schema']);
      }
      for (const [status, { content }] of Object.entries(responses)) {
        for (const mediaType of Object.keys(content ?? {})) {
          this.validator([...operation, 'responses', status, 'content', mediaType, 'schema']);
        }
      }
    }
  }

  private validator(pointer: readonly string[]): ValidateFunction {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `api#/${steps.join('/')}`;
    const known = this.validators.get($ref);
    if (known !== undefined) return known;
    const compiled = this.ajv.compile({ $ref });
    this.validators.set($ref, compiled);
    return compiled;
  }
}
