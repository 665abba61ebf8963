import { parseArgs } from 'node:util';
import { describeSettings, SettingsError, VERSION } from '../platform/config';

/**
 * What the command line asks for instead of starting: the help or the version; null when neither.
 * @throws SettingsError for anything else, since the service is configured by environment variables
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
      `The service takes no arguments such as "${args.join(' ')}": configure it with environment variables; --help lists them.`,
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
    `Agent OSCE ${VERSION}: examines clinical AI agents. Runs the service until it is stopped.`,
    '',
    'Configured with environment variables (defaults in brackets):',
    ...lines,
    '',
    'A secret may be given as a file instead: the variable with _FILE at its end names one, whose content is the value.',
    `  ${settings.flatMap(({ fileVariable }) => fileVariable ?? []).join(', ')}`,
  ].join('\n');
}
