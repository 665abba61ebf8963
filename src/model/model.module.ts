import { Global, Module } from '@nestjs/common';
import { ModelSpend } from './model-spend';

/** What tester and judge share of a language model: here, what the day's calls have cost. */
@Global()
@Module({ providers: [ModelSpend], exports: [ModelSpend] })
export class ModelModule {}
