import 'reflect-metadata';
import type { Server } from 'node:http';
import { Controller, Get, Header, Inject, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { endpointCommand } from './bare-endpoint';
import { answerCommands } from './commands';

const DOCUMENT = Symbol('document');

@Controller()
class DocumentController {
  constructor(@Inject(DOCUMENT) private readonly document: string) {}

  @Get('document')
  @Header('Content-Type', 'application/json; charset=utf-8')
  find(): string {
    return this.document;
  }
}

@Module({})
class DocumentModule {
  static with(document: string): DynamicModule {
    return {
      module: DocumentModule,
      controllers: [DocumentController],
      providers: [{ provide: DOCUMENT, useValue: document }],
    };
  }
}

async function serve(document: string): Promise<string> {
  const app = await NestFactory.create<NestExpressApplication>(DocumentModule.with(document), { logger: false });
  const server: Server = await app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = 600_000;
  return `${await app.getUrl()}/document`;
}

answerCommands(endpointCommand, async ({ document }) => ({ url: await serve(document) }));
