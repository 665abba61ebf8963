import { Global, Module } from '@nestjs/common';
import { CountedModels } from './counted-models';
import { ModelAddresses } from './model-addresses';
import { ModelSpend } from './model-spend';

/** What tester and judge share: the count of what the day's calls have cost, and a check of the model servers' addresses. */
@Global()
@Module({ providers: [ModelSpend, ModelAddresses, CountedModels], exports: [ModelSpend, CountedModels] })
export class ModelModule {}
