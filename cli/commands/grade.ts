import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { REGIONS, type Region } from '../../src/domain';
import { gradeTranscripts } from '../connection/derived-run-calls';
import { UsageFailure } from '../failure';
import { findScenario } from '../named-resources';
import { percentage } from '../option-values';
import { oneLine } from '../output/harmless-text';
import type { Output } from '../output/terminal';
import { nameOf } from '../read-input';
import type { Host, Session } from '../session';
import { readTranscripts, type ReadTranscripts } from '../transcripts/read-transcripts';
import { addFollowOptions, followDerived, type FollowOptions } from '../watch/derived-run';

interface GradeOptions extends FollowOptions {
  readonly agentName?: string;
  readonly agentVersion?: string;
  readonly name?: string;
  readonly scenario?: string;
  readonly judgeModel?: string;
  readonly passThreshold?: number;
  readonly region?: Region;
}

const EXAMPLES = `
A line holds a conversation and what it is marked by, as POST /api/v1/transcripts takes it:
  {"scenario_id": "…", "transcript": [{"role": "patient", "content": "…"}, {"role": "agent", "content": "…"}]}
with "rubric_criteria" in place of "scenario_id" for a rubric of its own. Also read: OpenAI's chat messages ("messages" in place of
"transcript"), HealthBench's lines with the answer in "completion", and Inspect's logs as JSON (inspect log dump), where the metadata of each sample
says what it is marked by. When a line is wrong, all wrong ones are named and nothing is stored.

No agent is called. Exit codes are those of osce run; Ctrl-C cancels the run.

Examples:
  $ osce grade calls.jsonl --agent-name "Triage line" --scenario "Chest pain at rest"
  $ osce grade answers.jsonl --agent-name "Model B" --fail-under 70 --json > result.json
  $ inspect log dump log.eval > log.json && osce grade log.json --scenario "Chest pain at rest"`;

export function addGradeCommand(program: Command, host: Host): void {
  addFollowOptions(program.command('grade <transcripts>'))
    .summary('mark conversations that were held elsewhere')
    .description('Start a run that marks the conversations in a file; - reads standard input.')
    .option('--agent-name <name>', 'name of the agent (default: what the file says, else its name)')
    .option('--agent-version <text>', 'which version of the agent this is, such as a git commit; kept with the results')
    .option('--name <name>', 'a name for the run (default: the name of the file)')
    .option('--scenario <name>', 'scenario, by name or id, for conversations that name neither scenario nor rubric')
    .option('--judge-model <name>', 'the model that marks, one of the service’s ALLOWED_MODELS')
    .option('--pass-threshold <percent>', 'points a conversation needs to pass (default 50)', percentage)
    .addOption(
      new Option(
        '--region <region>',
        'where the patients were: decides which emergency number is right (default: any country’s is)',
      ).choices([...REGIONS]),
    )
    .addHelpText('after', EXAMPLES)
    .action((path: string, options: GradeOptions, command: Command) =>
      host.run(command, (session) => grade(session, path, options)),
    );
}

/** The service takes requests of up to 1 MiB, and so many conversations at a time. */
const LARGEST_REQUEST = 1024 * 1024;
const MOST_ITEMS = 1_000;

async function grade(session: Session, path: string, options: GradeOptions): Promise<number> {
  const { api, output } = session;
  const scenario = options.scenario === undefined ? null : await findScenario(api, options.scenario);
  const { items, agentName } = checkedItems(await readTranscripts(path, scenario?.scenario_id ?? null), path, output);
  const file = basename(nameOf(path));
  const request = {
    name: options.name ?? file,
    agent_name: options.agentName ?? agentName ?? file,
    agent_version: options.agentVersion,
    judge_model: options.judgeModel,
    pass_threshold: options.passThreshold,
    region: options.region,
    items,
  };
  if (items.length > MOST_ITEMS || Buffer.byteLength(JSON.stringify(request)) > LARGEST_REQUEST) {
    throw new UsageFailure(
      `${file} holds more than the service takes at a time (${MOST_ITEMS} conversations, 1 MiB): grade it in parts.`,
    );
  }
  return followDerived(session, options, `of ${oneLine(file)}`, (signal) => gradeTranscripts(api, request, signal));
}

const MOST_LISTED = 50;

function checkedItems(read: ReadTranscripts, path: string, output: Output): ReadTranscripts {
  const { items, problems } = read;
  for (const { where, problem } of problems.slice(0, MOST_LISTED)) {
    output.remark(`${oneLine(where)}: ${oneLine(problem)}`);
  }
  if (problems.length > 0) {
    const more = problems.length > MOST_LISTED ? ` (the first ${MOST_LISTED} are listed)` : '';
    const lines = problems.length === 1 ? '1 conversation is' : `${problems.length} conversations are`;
    throw new UsageFailure(`${lines} wrong${more}: nothing was stored.`);
  }
  if (items.length === 0) throw new UsageFailure(`${nameOf(path)} holds no conversations.`);
  return read;
}
