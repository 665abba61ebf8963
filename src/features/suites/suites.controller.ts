import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { Endpoint } from '../../platform/http/endpoint';
import { CHANGED_MEANWHILE, ifMatchOf, sendTagged, tagHeaders, TakesIfMatch } from '../../platform/http/entity-tag';
import { OncePerKey, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { pageHeaders, setPageHeaders, WHOLE_LIST, wholeListFields, type Page } from '../../platform/http/page';
import {
  createSuiteRequest,
  updateSuiteRequest,
  type CreateSuiteRequest,
  type UpdateSuiteRequest,
  suiteList,
  suiteView,
  type SuiteList,
  type SuiteView,
  SuitesService,
} from './suites.service';

const listQuery = z.object(wholeListFields);

const NOT_FOUND = 'Test suite not found';
const WRONG_FIELD = 'A field is missing or wrong, or names scenarios that do not exist.';

@ApiTags('Test suites')
@Controller('api/v1/test-suites')
export class SuitesController {
  constructor(
    private readonly suites: SuitesService,
    private readonly once: OncePerKey,
  ) {}

  @Get()
  @Endpoint({
    id: 'listTestSuites',
    role: 'viewer',
    summary: 'List test suites, by name',
    description: WHOLE_LIST,
    answers: { 200: { description: 'The test suites.', schema: suiteList, headers: pageHeaders } },
  })
  async list(
    @Query({ schema: listQuery }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuiteList> {
    const list = await this.suites.list(page);
    setPageHeaders(response, page, list.test_suites.length, list.total);
    return list;
  }

  @Post()
  @TakesIdempotencyKey()
  @Endpoint({
    id: 'createTestSuite',
    role: 'admin',
    summary: 'Create a test suite',
    answers: {
      201: { description: 'The test suite as stored.', schema: suiteView, headers: tagHeaders },
      400: WRONG_FIELD,
    },
  })
  create(
    @Body({ schema: createSuiteRequest }) request: CreateSuiteRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuiteView> {
    return this.once.answer(
      response,
      'createTestSuite',
      request,
      (remember) => this.suites.create(request, remember),
      ({ id }) => [id],
    );
  }

  @Get(':id')
  @Endpoint({
    id: 'getTestSuite',
    role: 'viewer',
    summary: 'Get a test suite',
    answers: { 200: { description: 'The test suite.', schema: suiteView, headers: tagHeaders }, 404: NOT_FOUND },
  })
  async find(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<SuiteView> {
    return sendTagged(response, await this.suites.find(id));
  }

  @Patch(':id')
  @TakesIfMatch()
  @Endpoint({
    id: 'updateTestSuite',
    role: 'admin',
    summary: 'Update a test suite',
    description: 'Fields that are left out stay as they are; runs that have started keep their scenarios.',
    answers: {
      200: { description: 'The test suite as it is now.', schema: suiteView, headers: tagHeaders },
      400: WRONG_FIELD,
      404: NOT_FOUND,
      412: CHANGED_MEANWHILE,
    },
  })
  async update(
    @Param('id') id: string,
    @Body({ schema: updateSuiteRequest }) request: UpdateSuiteRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuiteView> {
    return sendTagged(response, await this.suites.update(id, request, ifMatchOf(response)));
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteTestSuite',
    role: 'admin',
    summary: 'Delete a test suite',
    description: 'Its scenarios and past runs stay.',
    answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.suites.delete(id);
  }
}
