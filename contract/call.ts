import type { AnswerOf, Method, Operation, SentBodyOf, SentQueryOf } from './operation';
import type { AnyOperation } from './operations';

type Named = { readonly [Each in AnyOperation as `${Each['method']} ${Each['path']}`]: Each };

/** An operation by method and path: `GET /api/v1/tests/{id}`. */
export type OperationName = keyof Named;

/** What an operation answers. */
export type AnswerTo<Name extends OperationName> = AnswerOf<Named[Name]>;

/** What an operation takes as its body. */
export type BodyFor<Name extends OperationName> = SentBodyOf<Named[Name]>;

/** What a call of an operation gives beside its name. */
export type Given<Name extends OperationName> = GivenPath<Named[Name]> &
  GivenQuery<Named[Name]> &
  GivenBody<Named[Name]>;

type GivenPath<Called extends Operation> =
  ParameterIn<Called['path']> extends never
    ? { readonly path?: never }
    : { readonly path: Readonly<Record<ParameterIn<Called['path']>, string>> };

/** Parameters that are undefined are left out. */
type GivenQuery<Called extends Operation> =
  SentQueryOf<Called> extends undefined
    ? { readonly query?: never }
    : object extends SentQueryOf<Called>
      ? { readonly query?: OrUndefined<SentQueryOf<Called>> }
      : { readonly query: OrUndefined<SentQueryOf<Called>> };

type OrUndefined<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] | (object extends Pick<Fields, Name> ? undefined : never);
};

type GivenBody<Called extends Operation> =
  SentBodyOf<Called> extends undefined
    ? { readonly body?: never }
    : undefined extends SentBodyOf<Called>
      ? { readonly body?: SentBodyOf<Called> }
      : { readonly body: SentBodyOf<Called> };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** The names in braces. */
export type ParameterIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterIn<Rest>
  : never;

/** Where an operation is called, with its parameters filled in and encoded. */
export function addressOf(
  name: OperationName,
  { path = {}, query = {} }: { readonly path?: object | undefined; readonly query?: object | undefined },
): { readonly method: Method; readonly path: string } {
  const values = new Map<string, unknown>(Object.entries(path));
  const [word = '', template = ''] = name.split(' ');
  const method = METHODS.find((one) => one === word) ?? 'GET';
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(values.get(parameter))),
  );
  const given = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) if (value !== undefined) given.set(parameter, String(value));
  return { method, path: given.size === 0 ? filled : `${filled}?${given.toString()}` };
}
