import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** Identifies this process, anew at every start, as the owner of what it claims. */
@Injectable()
export class ProcessId {
  readonly value: string = randomUUID();
}
