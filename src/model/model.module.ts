import { Global, Module } from '@nestjs/common';
import { ModelAddresses } from './model-addresses';
import { ModelSpend } from './model-spend';

/** What tester and judge share: the count of what the day's calls have cost, and a check of the model servers' addresses. */
@Global()
@Module({ providers: [ModelSpend, ModelAddresses], exports: [ModelSpend] })
export class ModelModule {}
