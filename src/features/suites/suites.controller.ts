import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ifMatchOf, sendTagged, setPageHeaders, Serves } from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { SuitesService } from './suites.service';
import {
  listTestSuites,
  createTestSuite,
  getTestSuite,
  updateTestSuite,
  deleteTestSuite,
  type CreateSuiteRequest,
  type UpdateSuiteRequest,
  type SuiteList,
  type SuiteView,
} from '../../../contract/test-suites';
import { type Page } from '../../../contract/page';

@Controller()
export class SuitesController {
  constructor(
    private readonly suites: SuitesService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(listTestSuites)
  async list(
    @Query({ schema: listTestSuites.query }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuiteList> {
    const list = await this.suites.list(page);
    setPageHeaders(response, page, list.test_suites.length, list.total);
    return list;
  }

  @Serves(createTestSuite)
  create(
    @Body({ schema: createTestSuite.body }) request: CreateSuiteRequest,
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

  @Serves(getTestSuite)
  async find(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<SuiteView> {
    return sendTagged(response, await this.suites.find(id));
  }

  @Serves(updateTestSuite)
  async update(
    @Param('id') id: string,
    @Body({ schema: updateTestSuite.body }) request: UpdateSuiteRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuiteView> {
    return sendTagged(response, await this.suites.update(id, request, ifMatchOf(response)));
  }

  @Serves(deleteTestSuite)
  delete(@Param('id') id: string): Promise<void> {
    return this.suites.delete(id);
  }
}
