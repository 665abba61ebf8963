import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { FromCaller } from '../../platform/http/from-caller';
import { meView, viewOfCaller, type MeView } from './me.view';

@ApiTags('Access')
@Controller('api/v1/me')
export class MeController {
  @Get()
  // The same address answers every key.
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    id: 'getMe',
    role: 'viewer',
    summary: 'Whose key this is, and what it may do',
    answers: { 200: { description: 'The name and role of the service key of this request.', schema: meView } },
  })
  me(@FromCaller() caller: Caller): MeView {
    return viewOfCaller(caller);
  }
}
