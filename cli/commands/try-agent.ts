import type { Command } from 'commander';
import type { TriedAgent } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { findAgent } from '../named-resources';
import { printFields } from '../output/fields';
import { harmlessLines, oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const HELP = `
The agent is called the way a run would call it, and nothing is stored. Connecting and the reply may take its turn_timeout_ms each.

Exit codes: 0 it replied; 2 it did not (the error code says why), or it could not be tried at all.

Examples:
  $ osce agents try "Demo clinic agent"
  $ osce agents try "Triage agent" --message "I have had a headache since yesterday." --json`;

interface TryOptions {
  readonly message?: string;
  readonly followUp?: boolean;
}

export function addTryCommand(agents: Command, host: Host): void {
  agents
    .command('try <agent>')
    .description('Send one message to an agent and show its reply, or why there is none.')
    .option('-m, --message <text>', 'what the patient says; default a short greeting')
    .option('--follow-up', 'send a second message, which shows whether the agent knows what the first one was')
    .addHelpText('after', HELP)
    .action((given: string, options: TryOptions, command: Command) =>
      host.run(command, (session) => tryAgent(session, given, options)),
    );
}

async function tryAgent({ api, output }: Session, given: string, { message, followUp }: TryOptions): Promise<number> {
  const agent = await findAgent(api, given);
  const tried = await api.tryAgent(agent.id, message, followUp === true);
  output.answer(tried, (screen) => printTried(screen, tried));
  warnOfTried(output, tried);
  return tried.ok ? EXIT.passed : EXIT.harnessFailed;
}

/** Warns of what would make the result of a run doubtful. @param known warnings that were given already */
export function warnOfTried(output: Session['output'], tried: TriedAgent, known: readonly string[] = []): void {
  if (!tried.ok) return;
  for (const warning of tried.warnings) if (!known.includes(warning)) output.warn(oneLine(warning));
}

/** The reply, or why there is none. */
export function printTried(screen: Screen, tried: TriedAgent): void {
  if (!tried.ok) {
    screen.line(`${screen.colors.red(oneLine(tried.error_code))}  ${oneLine(tried.error)}`);
    return;
  }
  const { greeting, reply, latency_ms, follow_up } = tried;
  if (typeof greeting === 'string') printSaid(screen, 'greeting', greeting);
  printSaid(screen, 'agent', reply);
  if (follow_up) {
    printSaid(screen, 'patient', follow_up.message);
    printSaid(screen, 'agent', follow_up.reply);
  }
  if (latency_ms !== null) printFields(screen, [['Reply after', `${Math.round(latency_ms)} ms`]]);
}

function printSaid(screen: Screen, speaker: string, text: string): void {
  screen.line(screen.colors.cyan(speaker));
  for (const line of harmlessLines(text)) screen.line(`  ${line}`);
}
