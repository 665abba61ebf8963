import { Module, Controller, Header } from '@nestjs/common';
import { type Caller, maySeeSecrets, suffices } from '../../platform/access';
import { FromCaller, Serves } from '../../platform/http';
import { type MeView, getMe } from '../../../contract/me';

function viewOfCaller(caller: Caller): MeView {
  const { name, role, isPerson = false } = caller;
  const may = {
    review: suffices(role, 'reviewer'),
    run: suffices(role, 'runner'),
    change: suffices(role, 'admin'),
    see_secrets: maySeeSecrets(caller),
  };
  return { name, role, signed_in: isPerson, may };
}

@Controller()
class MeController {
  // The same address answers every key.
  @Header('Cache-Control', 'no-store')
  @Serves(getMe)
  me(@FromCaller() caller: Caller): MeView {
    return viewOfCaller(caller);
  }
}

/** Tells a caller the name of its key and what it may do. */
@Module({ controllers: [MeController] })
export class MeModule {}
