import { Argument, type Command } from 'commander';
import { candidatesFor } from '../completion/candidates';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts';
import { shortened } from '../output/harmless-text';
import type { Host } from '../session';

const EXAMPLES = `
The script asks osce itself at each Tab, so it stays right when osce is updated.

Examples:
  $ source <(osce completion bash)          # in ~/.bashrc
  $ source <(osce completion zsh)           # in ~/.zshrc, after compinit
  $ osce completion fish > ~/.config/fish/completions/osce.fish`;

export function addCompletionCommand(program: Command, host: Host): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices([...SHELLS]))
    .summary('print the Tab completion for bash, zsh or fish')
    .description('Print the script that completes commands, options and their values when Tab is pressed.')
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => host.print(SCRIPTS[shell]));
  program
    .command('complete [words...]', { hidden: true })
    .description('Print the possible ends of a command line, one a line; for the scripts of osce completion.')
    .action((words: readonly string[]) =>
      host.print(
        candidatesFor(program, words)
          .map(({ value, description }) => `${value}\t${shortened(description, 80)}\n`)
          .join(''),
      ),
    );
}
