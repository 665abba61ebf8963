import { ApiHeader } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY } from '../http/common-answers';

/** Describes the header of a request that makes something. What may be answered because of it is added by `describeApi`. */
export const TakesIdempotencyKey = (): MethodDecorator =>
  ApiHeader({
    name: IDEMPOTENCY_KEY,
    required: false,
    description:
      'Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets ' +
      'the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0a1c1e-5d3b-4b1e-9f57-2f6c1d7e8a90',
  });
