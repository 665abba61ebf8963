import { BadRequestException, Injectable } from '@nestjs/common';
import { fullNameOf, readModelName, Settings } from '../../platform/config';
import type { AskedModels } from '../../engine/ledger';
import type { StartRunRequest } from '../../../contract/start-run';

/** Which models a run may ask for. */
@Injectable()
export class ModelChoice {
  private readonly allowed: readonly string[];

  constructor(settings: Settings) {
    this.allowed = settings.examiners.allowed.map(({ name }) => name);
  }

  /** With their prefixes; null for the one that is set up. @throws BadRequestException for a model that is not in the list */
  of({ tester_model, judge_model }: Partial<Pick<StartRunRequest, 'tester_model' | 'judge_model'>>): AskedModels {
    return {
      tester_model: this.named('tester_model', tester_model),
      judge_model: this.named('judge_model', judge_model),
    };
  }

  private named(field: string, text: string | undefined): string | null {
    if (text === undefined) return null;
    const name = readModelName(text);
    const full = name === null ? text : fullNameOf(name);
    if (this.allowed.includes(full)) return full;
    throw new BadRequestException(
      this.allowed.length === 0
        ? `${field}: this service has no language model; set one up, or leave ${field} out`
        : `${field}: ${JSON.stringify(text)} is not one of ${this.allowed.join(', ')} (ALLOWED_MODELS)`,
    );
  }
}
