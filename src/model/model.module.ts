import { Global, Module } from '@nestjs/common';
import { ModelAddresses } from './model-addresses';
import { ModelSpend } from './model-spend';

/** What tester and judge share of a language model: what the day's calls have cost, and a look at the servers' addresses. */
@Global()
@Module({ providers: [ModelSpend, ModelAddresses], exports: [ModelSpend] })
export class ModelModule {}
