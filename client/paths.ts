import type { ParameterIn } from '../contract/call';
import type { Operation, SentBodyOf, SentQueryOf, Success } from '../contract/operation';
import type { AnyOperation } from '../contract/operations';
import type { z } from 'zod';

/** The paths of the API as openapi-fetch reads them: what each operation takes and answers, derived from the contract. */
export type paths = {
  readonly [Path in AnyOperation['path']]: {
    readonly [Method in OperationAt<Path>['method'] as Lowercase<Method>]: Call<OperationAt<Path> & { method: Method }>;
  };
};

type OperationAt<Path> = Extract<AnyOperation, { readonly path: Path }>;

type Call<Called extends Operation> = BodyPart<Called> & {
  readonly parameters: QueryParameter<Called> & PathParameter<Called> & { readonly header?: HeadersOf<Called> };
  readonly responses: {
    readonly [Status in keyof Called['answers']]: Called['answers'][Status] extends string
      ? Refusal
      : Answered<Called['answers'][Status]>;
  } & { readonly default: Refusal };
};

type BodyPart<Called extends Operation> = Called extends { readonly body: z.ZodType }
  ? { readonly requestBody: { readonly content: { readonly 'application/json': SentBodyOf<Called> } } }
  : { readonly requestBody?: never };

interface Refusal {
  readonly content: { readonly 'application/json': { readonly error: string } };
}

type Answered<Answer> = Answer extends { readonly schema: infer Schema extends z.ZodType }
  ? { readonly content: { readonly 'application/json': z.output<Schema> } }
  : Answer extends Success & { readonly produces: infer Types extends string | readonly string[] }
    ? { readonly content: { readonly [Type in Types extends readonly string[] ? Types[number] : Types]: string } }
    : { readonly content?: never };

type QueryParameter<Called extends Operation> = Called extends { readonly query: z.ZodType }
  ? object extends SentQueryOf<Called>
    ? { readonly query?: SentQueryOf<Called> }
    : { readonly query: SentQueryOf<Called> }
  : unknown;

type PathParameter<Called extends Operation> =
  ParameterIn<Called['path']> extends never ? unknown : { readonly path: Record<ParameterIn<Called['path']>, string> };

type HeadersOf<Called> = (Called extends { readonly isKeyed: true }
  ? { readonly 'Idempotency-Key'?: string }
  : unknown) &
  (Called extends { readonly takesIfMatch: true } ? { readonly 'If-Match'?: string } : unknown);
