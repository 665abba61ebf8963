import { Module, Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { type Caller, maySeeSecrets, suffices } from '../../platform/access/caller';
import { Endpoint } from '../../platform/http/endpoint';
import { FromCaller } from '../../platform/http/role.guard';

const meView = z
  .object({
    name: z.string().describe('The name of the service key; `anyone` on a service without keys.'),
    role: z.string().describe('`viewer`, `runner` or `admin`; docs/roles.md says who may what.'),
    may: z.object({
      run: z.boolean().describe('Start, cancel, try, grade and review.'),
      change: z.boolean().describe('Create, change and delete.'),
      see_secrets: z
        .boolean()
        .describe('Agents’ credentials are answered as they are stored, unless MASK_CREDENTIALS masks them.'),
    }),
  })
  .meta({ id: 'Me' });
type MeView = z.output<typeof meView>;

function viewOfCaller(caller: Caller): MeView {
  const { name, role } = caller;
  const may = { run: suffices(role, 'runner'), change: suffices(role, 'admin'), see_secrets: maySeeSecrets(caller) };
  return { name, role, may };
}

@ApiTags('Access')
@Controller('api/v1/me')
class MeController {
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

/** Tells a caller the name of its key and what it may do. */
@Module({ controllers: [MeController] })
export class MeModule {}
