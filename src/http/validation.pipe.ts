import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { listClauses } from '../../machines/sentence';
import { findUnstorable, type Problem } from './unstorable';
import { describeIssue, writePath } from './validation-message';

/**
 * Checks what comes with a request against the zod schema its parameter names (`@Body({ schema })`, `@Query({ schema })`)
 * and hands over what the schema makes of it. Fields a schema does not know are dropped, unless it says otherwise.
 * Not Nest's StandardSchemaValidationPipe: that one deletes `constructor` and `prototype` from documents that must come
 * back as they were sent, and its interface hides from messages what was given.
 * @throws BadRequestException naming the offending fields by their paths, as many as a sentence has room for
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  transform(given: unknown, { type, schema }: ArgumentMetadata): unknown {
    if (type === 'param') return pathPart(given);
    if (schema === undefined) return given;
    if (!(schema instanceof z.ZodType)) throw new Error('Request schemas are zod schemas.');
    // A request without a body lacks every field: it is told which ones.
    const request = given ?? {};
    const problems = findUnstorable(request);
    if (problems.length > 0) throw new BadRequestException(write(problems));
    const parsed = schema.safeParse(request, { error: describeIssue });
    if (!parsed.success) throw new BadRequestException(write(parsed.error.issues));
    return parsed.data;
  }
}

/** A path that PostgreSQL could not even be asked for names nothing. */
function pathPart(given: unknown): unknown {
  if (findUnstorable(given).length > 0) throw new NotFoundException('Not found');
  return given;
}

function write(problems: readonly Problem[]): string {
  return listClauses(problems.map(({ path, message }) => `${writePath(path)}: ${message}`));
}
