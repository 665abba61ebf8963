import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller';
import { AgentsService } from './agents.service';
import { BaselinesService } from './baselines.service';
import { TryAgent } from './try-agent';

/** The AI assistants under test. */
@Module({ controllers: [AgentsController], providers: [AgentsService, BaselinesService, TryAgent] })
export class AgentsModule {}
