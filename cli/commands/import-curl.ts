import { Option, type Command } from 'commander';
import { agentFromLine, CurlLineError, type AgentFromCurl } from '../../src/agents/curl';
import { maskCredentials } from '../../src/agents/secrets/mask-credentials';
import { requireOwnAddress } from '../agent-config';
import type { TriedAgent } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { CommandFailure, UsageFailure } from '../failure';
import { printFields, type Field } from '../output/fields';
import { oneLine, shortened } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import { readText } from '../read-input';
import type { Host, Session } from '../session';
import {
  answersIn,
  conversationWarning,
  isWholeStream,
  replyPlaceIn,
  sessionPlaceIn,
  WHOLE_ANSWER,
  WHOLE_EVENTS,
} from '../../src/domain';
import { printTried, warnOfTried } from './try-agent';

const HELP = `
Give the line in quotes, in a file, or on standard input, which keeps it out of the shell's history; of the line's credentials only the
first characters are ever printed. What stands for the patient's message is found by its usual names (message, input, query,
messages, …) unless --message says what it is. Session ids become one of each conversation's own, unless --keep-session is given.

Paths are JMESPath: data.reply, choices[0].message.content, output[?type == 'text'].text.

With --try the agent is tried first, and saved only if it replies.

Exit codes: 0 it is saved; 2 it is not.

Examples:
  $ osce agents import-curl --name "Triage agent" --try "curl https://agents.example.org/chat -d '{\\"message\\": \\"Hello\\"}'"
  $ osce agents import-curl --file line.txt --message "Hello" --reply data.reply --session data.session_id
  $ pbpaste | osce agents import-curl --dry-run`;

interface ImportOptions {
  readonly file?: string;
  readonly name?: string;
  readonly description?: string;
  readonly message?: string;
  readonly reply?: string;
  readonly session?: string;
  readonly keepSession?: boolean;
  readonly try?: boolean;
  readonly dryRun?: boolean;
}

/** What the patient says when the agent is tried. */
const GREETING = 'Hello. I have a question about my health. Can you help me?';
const LONGEST_SHOWN = 300;

export function addImportCurlCommand(agents: Command, host: Host): void {
  agents
    .command('import-curl [curl...]')
    .description('Create an agent of the kind http from a curl line.')
    .option(
      '--file <file>',
      'read the line from a file; - for standard input, which is also read when no line is given',
    )
    .option('--name <name>', 'its name (default: the host of the address)')
    .option('--description <text>', 'a description')
    .option('--message <text>', 'the text in the line that the patient’s message replaces')
    .option('--reply <path>', 'where the answer holds the reply')
    .option('--session <path>', 'where the answer holds the session id that further messages carry')
    .option('--keep-session', 'leave session ids of the line as they are')
    .option(
      '--try',
      'send two messages first, and save the agent only if it replies; without --reply, find the reply in the answer',
    )
    .addOption(new Option('--dry-run', 'print the config, create nothing').conflicts('try'))
    .addHelpText('after', HELP)
    .action((words: readonly string[], options: ImportOptions, command: Command) =>
      host.run(command, (session) => importCurl(session, words, options)),
    );
}

async function importCurl(session: Session, given: readonly string[], options: ImportOptions): Promise<number> {
  const made = await readLine(session, await lineOf(given, options.file), options);
  for (const remark of made.remarks) session.output.warn(remark);
  const fields = {
    name: options.name ?? made.name,
    provider: 'http',
    ...(options.description !== undefined && { description: options.description }),
  };
  if (options.dryRun === true) {
    const config = maskCredentials(made.config);
    session.output.answer({ ...fields, config }, (screen) => print(screen, { ...fields, config }, made));
    const warning = conversationWarning('http', made.config);
    if (warning !== null) session.output.warn(warning);
    return EXIT.passed;
  }
  requireOwnAddress(session, made.config);
  const agent = { ...fields, config: made.config };
  const { config, tried } =
    options.try === true ? await triedFirst(session, agent, options) : { config: made.config, tried: null };
  if (tried?.ok === false) {
    const unsaved = { ...fields, config: maskCredentials(config) };
    session.output.answer({ ...unsaved, tried }, (screen) => {
      print(screen, unsaved, made);
      printTried(screen, tried);
    });
    session.output.warn('Nothing was saved, since the agent did not reply. To save it all the same, leave out --try.');
    return EXIT.harnessFailed;
  }
  const created = await session.api.createAgent({ ...fields, config });
  const shown = { ...created, config: maskCredentials(created.config) };
  session.output.answer({ ...shown, ...(tried !== null && { tried }) }, (screen) => {
    print(screen, shown, made);
    if (tried !== null) printTried(screen, tried);
  });
  if (tried !== null) warnOfTried(session.output, tried);
  const told = tried?.ok === true ? tried.warnings : [];
  for (const warning of created.warnings) if (!told.includes(warning)) session.output.warn(oneLine(warning));
  if (tried === null && options.reply === undefined) {
    session.output.remark('No --reply was given: the whole answer is the reply. With --try its place is looked for.');
  }
  return EXIT.passed;
}

/** A shell has already split a line of several words. */
async function lineOf(given: readonly string[], file?: string): Promise<string | readonly string[]> {
  if (file !== undefined && given.length > 0) throw new UsageFailure('Give the line, or --file, not both.');
  return given.length > 1 ? given : (given[0] ?? readText(file ?? '-'));
}

async function readLine({ environment }: Session, line: string | readonly string[], options: ImportOptions) {
  const { message, reply: replyPath, session: sessionPath, keepSession } = options;
  try {
    const wanted = { message, replyPath, sessionPath, replacesSession: keepSession !== true };
    return await agentFromLine(line, wanted, { environment, readFile: readText });
  } catch (error) {
    throw error instanceof CurlLineError ? new UsageFailure(error.message) : error;
  }
}

interface Attempt {
  readonly config: Config;
  readonly tried: TriedAgent;
}

type Config = Readonly<Record<string, unknown>>;

/** Tries the agent before anything is stored; without --reply, it also finds where the answer holds the reply. */
async function triedFirst(
  { api, output }: Session,
  { provider, config }: { readonly provider: string; readonly config: Config },
  options: ImportOptions,
): Promise<Attempt> {
  const message = options.message ?? GREETING;
  const send = async (tried: Config): Promise<Attempt> => ({
    config: tried,
    tried: await api.tryUnsavedAgent({ provider, config: tried, message, follow_up: true }),
  });
  if (options.reply !== undefined) return send(config);
  const { tried } = await send({ ...config, reply_path: WHOLE_ANSWER, stream_reply_path: WHOLE_EVENTS });
  // An answer in plain words has no JSON to look into; without a path it is the reply.
  if (!tried.ok) return tried.error_code === 'provider_error' ? send(config) : { config, tried };
  const isStream = isWholeStream(tried.reply);
  const answers = answersIn(tried.reply);
  // JSON that is a single string: without a path it is the reply.
  if (answers.length === 0) return { config, tried };
  const place = replyPlaceIn(answers, message);
  if (place === null) {
    throw new CommandFailure(
      'The agent answered, but nothing in its answer looks like a reply, so nothing was saved: give its place with --reply. ' +
        `The answer begins: ${shortened(tried.reply, LONGEST_SHOWN)}`,
    );
  }
  output.remark(
    `The reply was found at ${place.path}; to choose another place: osce agents update --config reply_path=….`,
  );
  const sessionPath = options.session === undefined ? sessionPlaceIn(answers) : null;
  if (sessionPath !== null) {
    output.remark(
      `The answer names a session at ${sessionPath}: give it with --session if further messages must carry it.`,
    );
  }
  const second = tried.follow_up && replyPlaceIn(answersIn(tried.follow_up.reply), tried.follow_up.message);
  const read = { follow_up: tried.follow_up && { ...tried.follow_up, reply: second?.text ?? tried.follow_up.reply } };
  const path = isStream ? { stream_reply_path: place.path } : { reply_path: place.path };
  return { config: { ...config, ...path }, tried: { ...tried, ...read, reply: place.text } };
}

function print(
  screen: Screen,
  agent: { readonly name: string; readonly id?: string; readonly provider: string; readonly config: object },
  { messageAt, sessionAt }: AgentFromCurl,
): void {
  const config = Object.entries(agent.config).map(([key, value]): Field => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [`config.${key}`, shortened(text, LONGEST_SHOWN)];
  });
  printFields(screen, [
    ['Name', agent.name],
    ['Id', agent.id],
    ['Provider', agent.provider],
    ...config,
    ['Message', messageAt],
    ['Session', sessionAt.join(', ')],
  ]);
}
