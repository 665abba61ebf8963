import { CONFIG_SHAPES } from './config';
import { OTHER_NAMES } from './config-reader';
import { HTTP_AGENT_SHAPE } from './http-agent/http-agent-config';

/** Every name, in snake_case, under which some kind of agent reads a field of its config. */
export const CONFIG_FIELDS: ReadonlySet<string> = new Set([
  ...[...CONFIG_SHAPES, HTTP_AGENT_SHAPE].flatMap((shape) => Object.keys(shape)),
  ...Object.values(OTHER_NAMES).flatMap((fields) => Object.values(fields).flat()),
]);
