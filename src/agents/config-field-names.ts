import type { ProviderKind } from '../domain/provider-kinds';
import { CONFIG_SHAPES } from './config';
import { OTHER_NAMES } from './config-reader';
import { HTTP_AGENT_SHAPE } from './http/http-agent-config';

const SHAPES: Readonly<Record<ProviderKind, object>> = { ...CONFIG_SHAPES, http: HTTP_AGENT_SHAPE };

/** The names, in snake_case, under which a kind of agent reads the fields of its config; aliases are left out. */
export function configFieldsOf(kind: ProviderKind): readonly string[] {
  return Object.keys(SHAPES[kind]);
}

/** Every name, in snake_case, under which some kind of agent reads a field of its config. */
export const CONFIG_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(SHAPES).flatMap((shape) => Object.keys(shape)),
  ...Object.values(OTHER_NAMES).flatMap((fields) => Object.values(fields).flat()),
]);
