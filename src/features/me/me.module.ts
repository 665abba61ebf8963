import { Module } from '@nestjs/common';
import { MeController } from './me.controller';

/** Tells whoever asks who they are here. */
@Module({ controllers: [MeController] })
export class MeModule {}
