import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { listClauses } from '../../domain';
import { findUnstorable, type Problem, describeIssue, writePath } from '../../../contract/request-checks';

/**
 * Checks what comes with a request against the zod schema its parameter names (`@Body({ schema })`, `@Query({ schema })`)
 * and passes on the schema's output. Fields a schema does not know are dropped, unless it says otherwise.
 * Not Nest's StandardSchemaValidationPipe: that one deletes `constructor` and `prototype` from documents that must be returned
 * as they were sent, and its interface hides the input from error messages.
 * @throws BadRequestException naming the offending fields by their paths, as many as a sentence has room for
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  transform(given: unknown, { type, schema }: ArgumentMetadata): unknown {
    if (type === 'param') return pathPart(given);
    if (schema === undefined) return given;
    if (!(schema instanceof z.ZodType)) throw new Error('Request schemas are zod schemas.');
    const problems = findUnstorable(given);
    if (problems.length > 0) throw new BadRequestException(write(problems));
    const parsed = schema.safeParse(given, { error: describeIssue });
    if (parsed.success) return parsed.data;
    throw new BadRequestException(given === undefined ? missing(schema) : write(parsed.error.issues));
  }
}

/** A path parameter that PostgreSQL cannot store cannot name anything. */
function pathPart(given: unknown): unknown {
  if (findUnstorable(given).length > 0) throw new NotFoundException('Not found');
  return given;
}

/** A request without the body it needs lacks every required field: the error names them. */
function missing(schema: z.ZodType): string {
  const { error } = schema.safeParse({}, { error: describeIssue });
  return error === undefined ? 'request: is required: send a JSON object' : write(error.issues);
}

function write(problems: readonly Problem[]): string {
  return listClauses(problems.map(({ path, message }) => `${writePath(path)}: ${message}`));
}
