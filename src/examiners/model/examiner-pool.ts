import type { OnApplicationShutdown } from '@nestjs/common';
import { type AllowedModel, type ModelConnection, type Role, fullNameOf } from '../../platform/config';
import type { LanguageModel } from './language-model';
import { loadVendor, type MakeModel } from './counted-models';

export interface PoolOptions<Examiner> {
  readonly role: Role;
  /** For runs that ask for no particular model. */
  readonly standard: Examiner;
  /** Its model; null: offline. */
  readonly configured: ModelConnection | null;
  readonly allowed: readonly AllowedModel[];
  readonly make: (model: LanguageModel) => Examiner;
  readonly create: MakeModel;
}

/** The examiners of one role: with the configured model, or with another that runs may ask for, made when a run first does. */
export class ExaminerPool<Examiner> implements OnApplicationShutdown {
  private readonly made = new Map<string, Examiner>();
  private readonly models: LanguageModel[] = [];

  constructor(private readonly options: PoolOptions<Examiner>) {
    for (const model of options.allowed) loadVendor(model[options.role].vendor);
  }

  /** @param model with its prefix; null asks for the configured one. Returns null when this process may not use the model */
  find(model: string | null): Examiner | null {
    const { standard, configured, allowed, role, make, create } = this.options;
    if (model === null || (configured !== null && fullNameOf(configured) === model)) return standard;
    const known = this.made.get(model);
    if (known !== undefined) return known;
    const connection = allowed.find(({ name }) => name === model)?.[role];
    if (connection === undefined) return null;
    const client = create(connection);
    const examiner = make(client);
    this.models.push(client);
    this.made.set(model, examiner);
    return examiner;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.models.map((model) => model.close()));
  }
}
