import { parseArgs } from 'node:util';
import { describeSettings, SettingsError } from '../config/settings';
import { VERSION } from '../config/version';

/**
 * What the command line asks for instead of a service: the help or the version; null when it asks for nothing.
 * @throws SettingsError for anything else, since the service is set up by environment variables
 */
export function answerToArguments(args: readonly string[]): string | null {
  let asked: { help?: boolean; version?: boolean };
  try {
    asked = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    }).values;
  } catch {
    throw new SettingsError(
      `The service takes no arguments such as "${args.join(' ')}": set it up by environment variables; --help lists them.`,
    );
  }
  if (asked.help === true) return usage();
  return asked.version === true ? VERSION : null;
}

function usage(): string {
  const settings = describeSettings();
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, description, default: unset }) => {
    const suffix = unset === null ? '' : ` (${unset})`;
    return `  ${name.padEnd(width)}  ${description}${suffix}`;
  });
  return [
    `Agent OSCE ${VERSION}: examines clinical AI agents. Starts the service until it is told to stop.`,
    '',
    'Set up by environment variables (defaults in brackets):',
    ...lines,
  ].join('\n');
}
