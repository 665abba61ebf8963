import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller';
import { AgentsService } from './agents.service';

/** The AI assistants under test. */
@Module({ controllers: [AgentsController], providers: [AgentsService] })
export class AgentsModule {}
