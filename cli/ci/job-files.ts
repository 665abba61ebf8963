import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadExport } from '../connection/download';
import type { ServiceApi } from '../connection/service-api';
import { CommandFailure } from '../failure';
import { harmlessJson, oneLine } from '../output/harmless-text';
import { saveFile } from '../output/save-file';
import type { Environment } from '../session';
import { failureSummary, jobSummary } from './job-summary';
import { ciVerdictOf, type RunReport } from './outcome';

/** The files and outputs that an examination writes for later steps and jobs. */
interface Outputs {
  readonly runId: string;
  readonly passRate: string;
  readonly verdict: string;
}

/** Where the files of a job are, by what they hold. */
export class JobFiles {
  constructor(
    private readonly folder: string,
    private readonly environment: Environment,
  ) {}

  get junit(): string {
    return join(this.folder, 'junit.xml');
  }

  get serviceLog(): string {
    return join(this.folder, 'service.log');
  }

  /** Writes the whole run with its transcripts, the outcome of the gate, and a summary for people. @throws CommandFailure */
  async writeReport(report: RunReport, api: ServiceApi): Promise<void> {
    await this.write('result.json', harmlessJson(report));
    if (report.comparison !== undefined) await this.write('comparison.json', harmlessJson(report.comparison));
    await downloadExport(api.http, report.run.id, 'json', (chunks) =>
      saveFile(join(this.folder, 'export.json'), chunks),
    );
    await this.tell(jobSummary(report), {
      runId: oneLine(report.run.test_run_id),
      passRate: String(report.run.pass_rate),
      verdict: ciVerdictOf(report),
    });
  }

  /** @param sentence why there is no result */
  async writeFailure(sentence: string): Promise<void> {
    await this.tell(failureSummary(sentence), { runId: '', passRate: '', verdict: 'failed' });
  }

  /** In files of our own, and in those that GitHub Actions names: docs.github.com/actions, "Workflow commands". */
  private async tell(summary: string, { runId, passRate, verdict }: Outputs): Promise<void> {
    const { GITHUB_STEP_SUMMARY: page, GITHUB_OUTPUT: outputs } = this.environment;
    await this.write('summary.md', summary);
    await this.write('outputs.env', `OSCE_RUN_ID=${runId}\nOSCE_PASS_RATE=${passRate}\nOSCE_VERDICT=${verdict}\n`);
    await append(page, summary);
    await append(outputs, `run-id=${runId}\npass-rate=${passRate}\nverdict=${verdict}\n`);
  }

  private write(name: string, text: string): Promise<void> {
    return saveFile(join(this.folder, name), chunksOf(text));
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** @param path undefined or empty: there is no such file here */
async function append(path: string | undefined, text: string): Promise<void> {
  if (path === undefined || path === '') return;
  try {
    await appendFile(path, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    throw new CommandFailure(`${path} cannot be written: ${reason}`, { cause });
  }
}
