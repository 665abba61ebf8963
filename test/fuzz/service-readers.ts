import { indexOfWords } from '../../src/domain/text-search';
import { exportFile } from '../../src/features/runs/export/formats';
import { plainText } from '../../src/features/runs/export/file-text';
import { maskCredentials } from '../../src/agents/secrets/mask-credentials';
import { quoteProblems } from '../../src/examiners/threads/review-quotes';
import { replyTo } from '../../src/demo/dialogue';
import { createLog } from '../../src/platform/config/log';
import { classified } from '../../src/examiners/model/model-error';
import { NO_USAGE } from '../../src/examiners/model/model-usage';
import { findUnstorable } from '../../contract/request-checks';
import { storableText, toStorableJson } from '../../src/platform/storable-text/storable-text';
import { frameOf } from '../../src/features/stream/frame';
import { findNamed } from '../../cli/find-named';
import { printFields } from '../../cli/output/fields';
import { harmlessDocument, harmlessJson, harmlessLines, oneLine, shortened } from '../../cli/output/harmless-text';
import { tableOf } from '../../cli/output/table';
import { Screen } from '../../cli/output/terminal';
import { Writable } from 'node:stream';
import type { TextReader } from './growth';
import type { TestRunView } from '../../contract/test-runs';
import type { ScenarioRunDetail } from '../../contract/scenario-runs';
import { EXPORT_FORMATS } from '../../contract/exports';

const screen = new Screen(new Writable({ write: (_chunk, _encoding, done) => done() }), {});

/** What the service and its command show, tell, export and store of texts from outside. */
export const SERVICE_READERS: readonly TextReader[] = [
  ...EXPORT_FORMATS.map((format): TextReader => [`the export as ${format}`, (text) => exported(format, text)]),
  ['plainText', plainText],
  ['toStorableJson', (text) => toStorableJson({ text })],
  ['storableText', storableText],
  ['findUnstorable', (text) => findUnstorable({ text: [text], [text]: 1 })],
  ['maskCredentials', (text) => maskCredentials({ [text]: text, base_url: `http://127.0.0.1/?token=${text}` })],
  ['the quotes of a review', (text) => quoted(text)],
  ['frameOf', (text) => frameOf({ seq: 1, type: 'turn_completed', json: JSON.stringify({ text }) })],
  ['the demo agent', (text) => replyTo([text, text])],
  ['oneLine', oneLine],
  ['harmlessLines', harmlessLines],
  ['harmlessDocument', harmlessDocument],
  ['harmlessJson', (text) => harmlessJson({ text })],
  ['shortened', (text) => shortened(text, 80)],
  ['printFields', (text) => printFields(screen, [['Why', text]])],
  ['tableOf', (text) => tableOf(screen, [{ title: 'Name', cell: (row: string) => row, flexible: true }], [text])],
  ['findNamed', (text) => named(text)],
  ['a line of the log', (text) => logged(text)],
  ['where the page marks a quote', (text) => marked(text)],
  ['what a model server says of a failure', (text) => failedCall(text)],
];

/** Of an error whose message was changed after its stack was made. */
function logged(text: string): string {
  const error = new Error(text);
  error.message = `${text.slice(0, text.length >> 2)}x${text.slice(0, text.length >> 2)}`;
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).error('Failed.', { error });
  return lines.join('');
}

function marked(text: string): unknown {
  const half = text.slice(0, text.length >> 1);
  return [half, `${half.slice(0, half.length >> 1)}x`].map((quote) => indexOfWords(text, quote));
}

function failedCall(reason: string): unknown {
  const part = reason.slice(0, reason.length >> 2);
  return classified(new Error('Refused.'), {
    canceled: false,
    expired: false,
    limits: { attemptMs: 1, overallMs: 1 },
    spent: NO_USAGE,
    names: { server: 'A server', model: 'm', keyVariable: 'KEY', addressVariable: 'ADDRESS' },
    secrets: [`${part}x${part}`],
    faultOf: () => ({
      kind: 'refused',
      status: 400,
      reason,
      retryAfterMs: null,
      shouldRetry: null,
      isQuotaSpent: false,
    }),
  });
}

function quoted(text: string): unknown {
  const [start, half] = [text.slice(0, text.length >> 2), text.length >> 1];
  const quotes = [`${start}x${start}`, text.slice(half), `${text.slice(0, 5_000)}x${text.slice(0, 4_999)}`];
  return quoteProblems({
    evidence: [quotes.map((quote) => ({ turn: 1, quote }))],
    turns: [{ turn: 1, patientMessage: text, agentMessage: text }],
  });
}

function named(text: string): unknown {
  try {
    return findNamed([text, `${text} `, 'Chest pain'], `x${text}`, {
      noun: 'agent',
      listCommand: 'osce agents',
      id: (name) => name,
      name: (name) => name,
    });
  } catch (error) {
    return error;
  }
}

async function exported(format: (typeof EXPORT_FORMATS)[number], text: string): Promise<number> {
  let length = 0;
  for await (const piece of exportFile(format, RUN, rows(text)).text) length += piece.length;
  return length;
}

async function* rows(text: string): AsyncGenerator<ScenarioRunDetail> {
  const at = '2026-03-14T09:26:53.000Z';
  yield await Promise.resolve({
    ...SCENARIO_RUN,
    scenario_name: text,
    grade_summary: text,
    criteria_results: [{ ...CRITERION, criterion: text, tags: [text], rationale: text }],
    transcript: [{ turn: 1, role: 'agent', content: text, at }],
  });
}

const RUN: TestRunView = {
  id: '11111111-1111-4111-8111-111111111111',
  test_run_id: 'run_20260314092653_11111111',
  name: null,
  note: null,
  tags: [],
  status: 'completed',
  agent_id: '22222222-2222-4222-8222-222222222222',
  agent_name: 'Clinic agent',
  agent_provider: 'openai',
  agent_version: null,
  agent_config: null,
  warnings: [],
  agent_config_hash: null,
  modality: 'text',
  spoken: null,
  twin_of: null,
  derived_from: null,
  derivation: null,
  test_suite_id: null,
  run_set_id: null,
  baseline_test_run_id: null,
  total_scenarios: 1,
  trials: 1,
  passed_count: 0,
  failed_count: 1,
  error_count: 0,
  canceled_count: 0,
  graded_pass_rate: null,
  must_pass_violated_count: null,
  pass_rate: 0,
  max_turns: 6,
  concurrency_limit: 6,
  pass_threshold: 50,
  region: 'UK',
  examiners: null,
  error_message: null,
  waiting: null,
  scheduled_at: null,
  started_at: '2026-03-14T09:26:53.000Z',
  completed_at: '2026-03-14T09:27:53.500Z',
  canceled_at: null,
  created_at: '2026-03-14T09:26:52.000Z',
};

const CRITERION = {
  criterion: 'Sends for an ambulance',
  tags: [],
  decision: 'NOT MET' as const,
  points: 0,
  max_points: 5,
  rationale: '',
  evidence: [],
  absence: false,
  replies_read: null,
  votes: null,
  disputed: false,
  check: null,
};

const SCENARIO_RUN: ScenarioRunDetail = {
  id: '33333333-3333-4333-8333-333333333333',
  test_run_id: RUN.id,
  scenario_id: '44444444-4444-4444-8444-444444444444',
  scenario_name: 'Chest pain',
  scenario_revision: null,
  scenario_content_hash: null,
  source_scenario_run_id: null,
  carried: false,
  kept_turns: null,
  given_message: null,
  scenario_category: null,
  scenario_severity: null,
  trial: 1,
  patient: { style: 'cooperative', language: 'en' },
  effective: null,
  status: 'failed',
  passed: false,
  score_percent: 0,
  total_points: 0,
  max_points: 5,
  grade_summary: '',
  criteria_results: [],
  error_code: null,
  error_message: null,
  attempt: 1,
  turns: 1,
  duration_ms: 1_234,
  started_at: '2026-03-14T09:26:53.000Z',
  completed_at: '2026-03-14T09:26:54.235Z',
  canceled_at: null,
  created_at: '2026-03-14T09:26:52.000Z',
  metadata: {},
  screenshot_url: null,
  transcript: [],
  closing_acts: null,
};
