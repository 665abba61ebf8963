import { Body, Controller, Header, Module, Param } from '@nestjs/common';
import {
  createKey,
  listKeys,
  revokeKey,
  type CreateKeyRequest,
  type KeyList,
  type NewKeyView,
} from '../../../contract/keys';
import { KeyHolders, type Caller } from '../../platform/access';
import { FromCaller, Serves } from '../../platform/http';
import { KeysService } from './keys.service';
import { NamedKeys } from './named-keys';

/** An answer may hold a secret: no proxy or browser may keep it. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@Controller()
class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Header(...NOT_KEPT)
  @Serves(listKeys)
  list(): Promise<KeyList> {
    return this.keys.list();
  }

  @Header(...NOT_KEPT)
  @Serves(createKey)
  create(
    @Body({ schema: createKey.body }) request: CreateKeyRequest,
    @FromCaller() caller: Caller,
  ): Promise<NewKeyView> {
    return this.keys.create(request, caller);
  }

  @Serves(revokeKey)
  revoke(@Param('id') id: string, @FromCaller() caller: Caller): Promise<void> {
    return this.keys.revoke(id, caller);
  }
}

/** Named keys, and who holds which. */
@Module({
  controllers: [KeysController],
  providers: [KeysService, NamedKeys, { provide: KeyHolders, useExisting: NamedKeys }],
  exports: [KeyHolders],
})
export class KeysModule {}
