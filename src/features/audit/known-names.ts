import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { z } from 'zod';

/** The names that an endpoint gives to what it is sent. */
export interface KnownNames {
  readonly body: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

const parameters = z.record(z.string(), z.looseObject({ schema: z.unknown().optional() }));
const known = new WeakMap<object, KnownNames>();

/** From the schemas that the endpoint's parameters are declared with (`@Body({ schema })`, `@Query({ schema })`). */
export function knownNamesOf(context: ExecutionContext): KnownNames {
  const handler = context.getHandler();
  const before = known.get(handler);
  if (before !== undefined) return before;
  const declared = parameters.safeParse(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {},
  );
  const names = (kind: RouteParamtypes) =>
    new Set(
      Object.entries(declared.data ?? {}).flatMap(([place, { schema }]) =>
        place.startsWith(`${kind}:`) && schema instanceof z.ZodType ? namesIn(schema) : [],
      ),
    );
  const found = { body: names(RouteParamtypes.BODY), query: names(RouteParamtypes.QUERY) };
  known.set(handler, found);
  return found;
}

/** Of an object its fields, of alternatives those of each. */
function namesIn(schema: z.ZodType): readonly string[] {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Set<string>();
  const waiting: unknown[] = [whole];
  const seen = new Set<unknown>();
  for (const part of waiting) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    const { properties, anyOf, oneOf, allOf, $ref } = part as z.core.JSONSchema.BaseSchema;
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const parts of [anyOf, oneOf, allOf]) waiting.push(...(parts ?? []));
    if ($ref !== undefined) waiting.push($defs[$ref.replace('#/$defs/', '')]);
  }
  return [...names];
}
