import { annotationsOf } from '../../../../contract/run-annotations';
import { callText, isUsualPatient, patientName, disputedIn, flagsOf } from '../../../domain';
import { ownTurn } from '../../../platform/concurrency';
import { calledOf, plainText, missedCriteria } from './file-text';
import type { ComparisonView, QuestionTest } from '../../../../contract/comparison';
import type { TestRunView } from '../../../../contract/test-runs';
import type { ScenarioRunDetail } from '../../../../contract/scenario-runs';

/**
 * JUnit XML as CI servers read it, in pieces: the test run is a test suite and each scenario run a test case, by the name of
 * its scenario and its trial: CI servers take two cases of one name for one. A missed
 * rubric is a failure, an error of the harness or the provider an error, a scenario run without a verdict is skipped. With a comparison
 * its questions are a test suite of their own.
 */
export async function* toJunit(
  run: TestRunView,
  scenarioRuns: AsyncIterable<ScenarioRunDetail>,
  comparison: ComparisonView | null = null,
  publicUrl: string | null = null,
): AsyncGenerator<string> {
  const linkTo = (page: string): string | null => (publicUrl === null ? null : `${publicUrl}${page}`);
  // Only this needs it.
  const { begin } = await import('xmlbuilder');
  const pieces: string[] = [];
  // Its own layout would put spaces into texts: an element begins a line, and nothing else does. A character that it refuses would
  // put the whole text into an error.
  const xml = begin({ invalidCharReplacement: '\uFFFD' }, (piece) => pieces.push(piece));
  const element = (name: string, attributes: Readonly<Record<string, string | number>>, text?: string): void => {
    xml.raw('\n');
    xml.ele(name);
    for (const [key, value] of Object.entries(attributes)) xml.att(key, plainText(String(value)));
    if (text !== undefined) xml.txt(plainText(text));
  };
  const leaf: typeof element = (...given) => {
    element(...given);
    xml.up();
  };

  xml.dec('1.0', 'UTF-8');
  const totals = totalsOf(run);
  const cases = comparison === null ? [] : comparedCases(comparison);
  const compared = { tests: cases.length, failures: counted(cases, 'failure'), skipped: counted(cases, 'skipped') };
  element('testsuites', {
    name: 'Agent OSCE',
    ...totals,
    tests: totals.tests + compared.tests,
    failures: totals.failures + compared.failures,
    skipped: totals.skipped + compared.skipped,
  });
  element('testsuite', {
    name: `${run.agent_name} (${run.test_run_id})`,
    timestamp: run.started_at ?? run.created_at,
    ...totals,
  });
  element('properties', {});
  for (const [name, value] of Object.entries({ ...propertiesOf(run), ...known({ page: linkTo(`/runs/${run.id}`) }) }))
    leaf('property', { name, value });
  xml.up();
  for await (const scenarioRun of scenarioRuns) {
    element('testcase', {
      classname: run.agent_name,
      name: caseName(scenarioRun, run),
      time: seconds(scenarioRun.duration_ms ?? 0),
    });
    const page = linkTo(`/scenario-runs/${scenarioRun.id}`);
    const facts = Object.entries({ ...instrumentOf(scenarioRun), ...doubtsOf(scenarioRun), ...known({ page }) });
    if (facts.length > 0) {
      element('properties', {});
      for (const [name, value] of facts) leaf('property', { name, value });
      xml.up();
    }
    const outcome = outcomeOf(scenarioRun, run);
    if (outcome) leaf(outcome.element, outcome.attributes, withLink(outcome.text, page));
    if (scenarioRun.transcript.length > 0) {
      element('system-out', {});
      for (const entry of transcriptTexts(scenarioRun)) {
        await ownTurn(entry.length);
        for (const part of inParts(plainText(entry))) {
          xml.txt(part);
          yield pieces.splice(0).join('');
          // Escaping a megabyte takes long: other work gets turns in between.
          await ownTurn(part.length);
        }
      }
      xml.up();
    }
    xml.up();
    yield pieces.splice(0).join('');
  }
  xml.up();
  if (comparison !== null) {
    element('testsuite', { name: `Compared with ${comparison.before.test_run_id}`, ...compared, errors: 0 });
    element('properties', {});
    leaf('property', { name: 'verdict', value: comparison.verdict });
    leaf('property', { name: 'baseline', value: comparison.before.id });
    xml.up();
    for (const { name, outcome } of cases) {
      element('testcase', { classname: `${run.agent_name}, compared`, name });
      if (outcome !== null) leaf(outcome.element, { message: outcome.message });
      xml.up();
    }
    xml.up();
  }
  xml.up();
  xml.end();
  yield `${pieces.join('')}\n`;
}

function counted(cases: readonly ComparedCase[], element: 'failure' | 'skipped'): number {
  return cases.filter(({ outcome }) => outcome?.element === element).length;
}

function totalsOf(run: TestRunView) {
  const withVerdict = run.passed_count + run.failed_count + run.error_count;
  const ended = run.completed_at ?? run.canceled_at;
  const durationMs = run.started_at && ended ? Date.parse(ended) - Date.parse(run.started_at) : 0;
  return {
    tests: run.total_scenarios,
    failures: run.failed_count,
    errors: run.error_count,
    skipped: run.total_scenarios - withVerdict,
    time: seconds(durationMs),
  };
}

function propertiesOf(run: TestRunView): Record<string, string | number> {
  return {
    id: run.id,
    status: run.status,
    agent_id: run.agent_id,
    agent_provider: run.agent_provider,
    pass_rate: run.pass_rate,
    pass_threshold: run.pass_threshold,
    max_turns: run.max_turns,
    trials: run.trials,
    ...known({
      ...annotationsOf(run),
      tags: run.tags.join(', ') || null,
      region: run.region,
      modality: run.modality === 'spoken' ? run.modality : null,
      twin_of: run.twin_of,
      agent_version: run.agent_version,
      agent_config_hash: run.agent_config_hash,
      tester: calledOf(run.examiners?.tester),
      tester_prompt_version: run.examiners?.tester.prompt_version ?? null,
      judge: calledOf(run.examiners?.judge),
      judge_prompt_version: run.examiners?.judge.prompt_version ?? null,
    }),
  };
}

/** The revision of its scenario that it examined with, where that is kept. */
function instrumentOf({
  scenario_revision,
  scenario_content_hash,
}: ScenarioRunDetail): Record<string, string | number> {
  return known({ scenario_revision, scenario_content_hash });
}

function known(properties: Readonly<Record<string, string | number | null>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** The reasons to look at a scenario run again; empty for most. */
function doubtsOf(scenarioRun: ScenarioRunDetail): Record<string, string | number> {
  const flags = flagsOf(scenarioRun);
  const disputed = disputedIn(scenarioRun);
  return {
    ...(flags.length > 0 ? { flags: flags.join(' ') } : {}),
    ...(disputed > 0 ? { disputed_criteria: disputed } : {}),
  };
}

function caseName({ scenario_name, trial, patient }: ScenarioRunDetail, { trials }: TestRunView): string {
  const which = [
    ...(trials === 1 ? [] : [`trial ${trial} of ${trials}`]),
    ...(isUsualPatient(patient) ? [] : [patientName(patient)]),
  ];
  return which.length === 0 ? scenario_name : `${scenario_name} (${which.join(', ')})`;
}

interface Outcome {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** CI servers show the text of a failure, and its properties hardly ever. */
function withLink(text: string | undefined, page: string | null): string | undefined {
  return page === null ? text : [...(text === undefined ? [] : [text]), `The conversation: ${page}`].join('\n');
}

function outcomeOf(scenarioRun: ScenarioRunDetail, run: TestRunView): Outcome | undefined {
  switch (scenarioRun.status) {
    case 'passed':
      return undefined;
    case 'failed':
      return failureOf(scenarioRun, run);
    case 'error':
      return {
        element: 'error',
        attributes: { type: scenarioRun.error_code ?? 'internal', message: scenarioRun.error_message ?? '' },
      };
    case 'canceled':
      return { element: 'skipped', attributes: { message: 'canceled' } };
    case 'pending':
    case 'running':
    case 'grading':
      return { element: 'skipped', attributes: { message: `not finished: ${scenarioRun.status}` } };
  }
}

function failureOf(scenarioRun: ScenarioRunDetail, run: TestRunView): Outcome {
  const missed = missedCriteria(scenarioRun);
  const score = `Score ${scenarioRun.score_percent ?? 0} % (to pass: ${run.pass_threshold} %)`;
  return {
    element: 'failure',
    attributes: { type: 'rubric', message: missed[0] ? `${score}; missed: ${missed[0].criterion}` : score },
    text: missed
      .map(({ decision, points, max_points, criterion, rationale, disputed, check }) =>
        [
          `${decision} (${points} of ${max_points} points${disputed ? ', disputed' : ''}${check === null ? '' : `, checked by a rule: ${check}`}): ${criterion}`,
          rationale,
        ].join('\n  '),
      )
      .join('\n'),
  };
}

/** Characters of a call: the export as JSON has it whole. */
const LONGEST_CALL = 500;

/** One line per transcript entry, or more where the text has several. */
function transcriptTexts({ transcript }: ScenarioRunDetail): string[] {
  return transcript.flatMap(({ turn, role, content, acts }, at) => [
    `${at === 0 ? '' : '\n'}[${turn}] ${role}: ${content}`,
    ...(acts?.tool_calls ?? []).map((call) => `\n[${turn}] ${role} called ${callText(call).slice(0, LONGEST_CALL)}`),
  ]);
}

const PART_CHARACTERS = 65_536;

/** Cut within no character. */
function inParts(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    let end = Math.min(text.length, from + PART_CHARACTERS);
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** A test case of the comparison, and what became of it. */
interface ComparedCase {
  readonly name: string;
  readonly outcome: { readonly element: 'failure' | 'skipped'; readonly message: string } | null;
}

const NAMES: Readonly<Record<QuestionTest['on'], string>> = {
  passed: 'Scenarios pass no less often',
  score: 'Scenarios score no lower',
  must_pass: 'Must-pass criteria are violated no more often',
};

/**
 * What a comparison is to a CI server: one test case for each of its questions, which fails where the run is shown to be worse and is
 * skipped where that could not be tested; and one that fails on a new must-pass violation, whatever the numbers show.
 */
function comparedCases({ tests, verdict, grounds, sentence, ...rest }: ComparisonView): ComparedCase[] {
  const fresh = rest.new_must_pass_violations.length;
  const cases = tests.map((test): ComparedCase => {
    const name = NAMES[test.on];
    if (verdict === 'cannot_tell' || test.adjusted_p_value === null) {
      return { name, outcome: { element: 'skipped', message: sentence } };
    }
    const isWorse = grounds.includes(test.on) && (test.difference ?? 0) < 0;
    return { name, outcome: isWorse ? { element: 'failure', message: sentence } : null };
  });
  const violation = fresh === 0 ? null : ({ element: 'failure', message: sentence } as const);
  return [...cases, { name: 'No must-pass criterion is violated anew', outcome: violation }];
}
