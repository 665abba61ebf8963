import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import type { Answer, ApiClient } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { osce } from '../setup/osce-command';
import { eachAtOnce } from '../setup/at-once';
import { shareOf } from './rotation';

/** What a terminal obeys, line breaks aside, and marks that turn the direction of writing. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
/** Before what a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const MAX_ERROR_CHARACTERS = 2_000;

/** Reads a run in every form that the service gives it out in; each has to be whole and harmless. */
export class RunReader {
  constructor(
    private readonly api: ApiClient,
    private readonly runId: string,
  ) {}

  /** Its scenario runs with their transcripts, from the JSON export. */
  async exportedJson(): Promise<Answer['body'][]> {
    const { body } = await this.api.get(`/api/v1/tests/${this.runId}/export?format=json`);
    const scenarioRuns = body.scenario_runs;
    for (const { error_message } of scenarioRuns) {
      expect(error_message ?? '').not.toMatch(OBEYED);
      expect((error_message ?? '').length).toBeLessThanOrEqual(MAX_ERROR_CHARACTERS);
    }
    return scenarioRuns;
  }

  /** Each by itself is what the export told: a third of them, the next with the next seed. */
  async details(expected: readonly { id: string }[]): Promise<void> {
    await eachAtOnce(shareOf(expected, 0, 3), async (scenarioRun) => {
      const { status, body } = await this.api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
      expect(status).toBe(200);
      expect(body).toEqual(scenarioRun);
    });
  }

  async csv(rows: number): Promise<void> {
    const { body } = await this.api.get(`/api/v1/tests/${this.runId}/export?format=csv`);
    const cells: string[][] = parse(body, { skip_empty_lines: true });
    expect(cells).toHaveLength(rows + 1);
    for (const row of cells) for (const cell of row) if (!/^-?[\d.]+$/.test(cell)) expect(cell).not.toMatch(FORMULA);
  }

  async junit(cases: number): Promise<void> {
    const response = await fetch(`${this.api.url}/api/v1/tests/${this.runId}/export?format=junit`);
    const counts = new Map<string, number>();
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name }) => counts.set(name, (counts.get(name) ?? 0) + 1));
    parser.write(await response.text()).close();
    expect([counts.get('testsuites'), counts.get('testsuite'), counts.get('testcase')]).toEqual([1, 1, cases]);
  }

  /** One frame an event, in order, however the text in it looks. */
  async events(): Promise<void> {
    const stream = await EventClient.open(`${this.api.url}/events?run_id=${this.runId}`);
    expect(await stream.ended).toBe(true);
    expect(stream.ids).toEqual(stream.events.map((_, at) => at + 1));
    expect(new Set(stream.events.map(({ data }) => data['run_id']))).toEqual(new Set([this.runId]));
    const last = stream.events.filter(({ data }) => /^test_run_(complete|failed)$/.test(String(data['type'])));
    expect(last).toEqual([stream.events.at(-1)]);
  }

  async inspection(scenarioRuns: readonly { id: string }[]): Promise<void> {
    for (const id of [this.runId, ...scenarioRuns.map((one) => one.id)]) {
      expect((await this.api.get(`/api/v1/inspect/actors/${id}`)).status).toBe(200);
    }
  }

  /** What the command prints for people and for programs. */
  async command(scenarioNames: readonly string[]): Promise<void> {
    const commands = [
      ['runs', 'show', this.runId],
      ['runs', 'show', this.runId, '--json'],
      ...scenarioNames.map((name) => ['runs', 'transcript', this.runId, name]),
      ...scenarioNames.map((name) => ['runs', 'transcript', this.runId, name, '--json']),
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await osce(args, { url: this.api.url });
      expect([args, code, stderr]).toEqual([args, 0, '']);
      expect(stdout).not.toMatch(OBEYED);
      if (args.includes('--json')) JSON.parse(stdout);
    }
  }
}
