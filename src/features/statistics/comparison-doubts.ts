import { soundInWords } from '../../domain';
import type { Examiner, Examiners } from '../../engine/ledger';
import type { EarlierSide } from './run-pairs.store';
import type { TestRunRecord } from '../runs/test-run.row';
import type { Matched } from './matched-scenarios';
import type { Doubt } from '../../../contract/comparison';

/** What of a run may differ apart from its agent. */
type Circumstances = Pick<
  TestRunRecord,
  'status' | 'trials' | 'max_turns' | 'pass_threshold' | 'region' | 'spoken' | 'agent_config_hash'
>;

export interface ComparedRun {
  readonly run: Circumstances;
  readonly side: EarlierSide;
}

/** Names in a sentence; the rest is counted. */
const MOST_NAMES = 5;

/** How sentences tell two runs apart: `the run before`, or `with Agent A`. */
export interface SideWords {
  readonly before: string;
  readonly after: string;
}

export const IN_TIME: SideWords = { before: 'before', after: 'after' };

/** What differs between two runs apart from the agent, each in a sentence. */
export function doubtsAbout(before: ComparedRun, after: ComparedRun, matched: Matched, words = IN_TIME): Doubt[] {
  const { otherText, otherRubric, onlyBefore, onlyAfter } = matched;
  const doubts: Doubt[] = [];
  const doubt = (kind: Doubt['kind'], sentence: string): void => void doubts.push({ kind, sentence });
  const unless = (isSame: boolean, kind: Doubt['kind'], sentence: string): void => {
    if (!isSame) doubt(kind, sentence);
  };
  for (const [side, { run }] of [['before', before] as const, ['after', after] as const]) {
    unless(
      run.status === 'completed',
      'status',
      `The run ${words[side]} is ${run.status}: not all of it was carried out.`,
    );
  }
  if (otherText.length > 0)
    doubt('scenario_text', `Left out because their text was changed between the runs: ${listed(otherText)}.`);
  if (otherRubric.length > 0)
    doubt('rubric', `Left out because their rubric was changed between the runs: ${listed(otherRubric)}.`);
  if (onlyBefore + onlyAfter > 0) {
    doubt(
      'scenarios',
      `Left out because they are in only one of the runs: ${onlyBefore} of the run ${words.before}, ${onlyAfter} of the run ${words.after}.`,
    );
  }
  const [was, is] = [before.side.tallies.examiners, after.side.tallies.examiners];
  unless(
    haveSameExaminers(was, is),
    'examiners',
    `Patient and judge: ${examinersOf(was)} ${words.before}, ${examinersOf(is)} ${words.after}.`,
  );
  if (haveSameExaminers(was, is)) {
    unless(
      setOf(was, promptsOf) === setOf(is, promptsOf),
      'prompts',
      'The instructions of the patient or the judge, or the rules of the offline judge, changed between the runs.',
    );
  }
  unless(
    haveSamePatients(before.side, after.side),
    'patients',
    `Patients: ${before.side.patients.join('; ')} ${words.before}, ${after.side.patients.join('; ')} ${words.after}.`,
  );
  const compareNumbers = (kind: Doubt['kind'], what: string, old: number, now: number, unit = ''): void =>
    unless(old === now, kind, `${what}: ${old}${unit} ${words.before}, ${now}${unit} ${words.after}.`);
  compareNumbers('trials', 'Trials', before.run.trials, after.run.trials);
  compareNumbers('max_turns', 'Turns of a conversation', before.run.max_turns, after.run.max_turns);
  compareNumbers('pass_threshold', 'Pass threshold', before.run.pass_threshold, after.run.pass_threshold, ' %');
  const [wasIn, isIn] = [before.run.region, after.run.region];
  unless(
    wasIn === isIn,
    'region',
    `Region: ${wasIn ?? 'not said'} ${words.before}, ${isIn ?? 'not said'} ${words.after}.`,
  );
  doubtsAboutVoice(before.run, after.run, words).forEach(([kind, sentence]) => doubt(kind, sentence));
  const [wasHash, isHash] = [before.run.agent_config_hash, after.run.agent_config_hash];
  unless(
    wasHash === null || isHash === null || wasHash === isHash,
    'agent_config',
    'The config of the agent changed between the runs: compare agent_config of the two.',
  );
  return doubts;
}

/** What differs where a run was spoken: the agent is not all that was heard. */
function doubtsAboutVoice(before: Circumstances, after: Circumstances, words: SideWords): [Doubt['kind'], string][] {
  const [was, is] = [before.spoken, after.spoken];
  if (was === null && is === null) return [];
  if (was === null || is === null) {
    const [text, spoken] = was === null ? [words.before, words.after] : [words.after, words.before];
    return [
      [
        'modality',
        `The run ${text} is in text, and the run ${spoken} spoken: the difference is what voice does to the agent, and no change of it.`,
      ],
    ];
  }
  const [wasHeard, isHeard] = [soundInWords(was), soundInWords(is)];
  return wasHeard === isHeard ? [] : [['spoken', `Spoken: ${wasHeard} ${words.before}, ${isHeard} ${words.after}.`]];
}

/** Whether the same patients and judges, by name and model, examined in both. */
export function haveSameExaminers(before: readonly Examiners[], after: readonly Examiners[]): boolean {
  return setOf(before, nameOf) === setOf(after, nameOf);
}

/** Whether scenarios were played by patients who behave alike and speak the same languages. */
export function haveSamePatients(before: EarlierSide, after: EarlierSide): boolean {
  return before.patients.join('\n') === after.patients.join('\n');
}

function setOf(examiners: readonly Examiners[], keyOf: (one: Examiners) => string): string {
  return [...new Set(examiners.map(keyOf))].sort().join('\n');
}

function examinersOf(examiners: readonly Examiners[]): string {
  return examiners.length === 0 ? 'unknown' : [...new Set(examiners.map(nameOf))].join(', or ');
}

function nameOf({ tester, judge }: Examiners): string {
  return `${called(tester)} and ${called(judge)}`;
}

function called({ name, model }: Examiner): string {
  return model === null ? name : `${name} ${model}`;
}

function promptsOf({ tester, judge }: Examiners): string {
  return `${tester.prompt_version ?? ''} ${judge.prompt_version ?? ''}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}
