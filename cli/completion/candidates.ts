import type { Command, Option } from 'commander';

/** The candidates at the place where the user presses Tab. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/**
 * Candidates are read from the program itself, so that no separate list of commands has to be kept. There are none for values that only the
 * user knows: the shell then offers files.
 * @param words after `osce`, the last one as far as it is typed
 */
export function candidatesFor(program: Command, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? '';
  let command = program;
  let awaiting: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaiting !== undefined) {
      awaiting = undefined;
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      awaiting = option?.required === true ? option : undefined;
    } else {
      command = command.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? command;
    }
  }
  const all =
    awaiting !== undefined ? valuesOf(awaiting) : current.startsWith('-') ? flagsOf(command) : commandsOf(command);
  return all.filter(({ value }) => value.startsWith(current));
}

function valuesOf({ argChoices = [], description }: Option): Candidate[] {
  return argChoices.map((value) => ({ value, description }));
}

function flagsOf(command: Command): Candidate[] {
  return optionsOf(command).flatMap(({ long, short, description }) => {
    const value = long ?? short;
    return value === undefined ? [] : [{ value, description }];
  });
}

function commandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.summary() || one.description() }));
}

/** Its own options and those of its parent commands, which it accepts too. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}
