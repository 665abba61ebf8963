import { editDistance } from '../../domain/edit-distance';
import { environment, SECRET } from './environment';
import { fileVariable } from './secret-files';

export interface Slip {
  readonly variable: string;
  /** What was probably meant. */
  readonly setting: string;
}

/** Of names that are shorter, others are too near: HOME and HOST. */
const SHORTEST = 7;
/** Of names from this length on, two slips are still no other word. */
const LONG = 10;

/** Variables that are no settings and nearly are: one that is not read would otherwise be noticed when it is missed. */
export function misspeltSettings(variables: NodeJS.ProcessEnv = process.env): readonly Slip[] {
  const plain = Object.keys(environment.shape);
  const known = [...plain, ...plain.filter((name) => SECRET.has(name)).map(fileVariable)];
  const names = new Set(known);
  return Object.entries(variables).flatMap(([variable, value]) => {
    if (names.has(variable) || (value?.trim() ?? '') === '') return [];
    // Only secrets are taken from files.
    const setting =
      plain.find((name) => fileVariable(name) === variable) ?? known.find((name) => isNear(variable, name));
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

function isNear(given: string, name: string): boolean {
  const most = name.length < LONG ? 1 : 2;
  if (name.length < SHORTEST || Math.abs(given.length - name.length) > most) return false;
  return editDistance(given, name) <= most;
}
