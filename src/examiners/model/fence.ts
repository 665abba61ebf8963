import { randomBytes } from 'node:crypto';

/** A marker that no text from outside can guess. */
export function randomMarker(): string {
  return randomBytes(9).toString('hex');
}

/** Text from outside, in a fence that it cannot close without knowing the marker. */
export function fenced(name: string, content: string, marker: string): string {
  return `<${name}-${marker}>\n${content}\n</${name}-${marker}>`;
}
