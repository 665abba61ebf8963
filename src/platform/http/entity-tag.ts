import { createHash } from 'node:crypto';
import { BadRequestException, HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';

/** Tells an answer apart from every other state of the same resource. */
export function entityTag(view: object): string {
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url')}"`;
}

/** An answer and its entity tag. */
export interface Tagged<View> {
  readonly view: View;
  readonly etag: string;
}

export function tagged<View extends object>(view: View): Tagged<View> {
  return { view, etag: entityTag(view) };
}

/** Sets the header, and hands on the view. */
export function sendTagged<View>(response: Response, { view, etag }: Tagged<View>): View {
  response.setHeader('ETag', etag);
  return view;
}

export function ifMatchOf({ req: { headers } }: Response): string | undefined {
  return headers['if-match'];
}

/**
 * Adds a second part to the tag, for what an answer also shows and no change is about: a client that has read it before reads it anew
 * once that is different.
 */
export function withSecondPart(etag: string, alsoShown: object): string {
  return `${etag.slice(0, -1)}.${entityTag(alsoShown).slice(1)}`;
}

/** The first part alone of the tags that a change names. @param ifMatch the header */
export function firstPartsOf(ifMatch: string | undefined): string | undefined {
  return ifMatch?.replaceAll(/\.[\w-]+"/g, '"');
}

/**
 * Refuses a change of something that was changed since its client read it. A weak tag counts as the strong one it was: a proxy that compresses
 * answers weakens theirs.
 * @param ifMatch the header; undefined matches anything
 * @param what the resource, for the sentence
 * @throws HttpException 412; BadRequestException when the header is none
 */
export function requireMatch(ifMatch: string | undefined, current: string, what: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const given = ifMatch.match(/"[^"]*"/g);
  if (given === null) {
    throw new BadRequestException('If-Match must be the ETag of an answer, in its quotation marks, or *.');
  }
  if (given.includes(current)) return;
  throw new HttpException(
    `The ${what} was changed after you read it (If-Match names an earlier state): read it again, and make your change to what it is now.`,
    HttpStatus.PRECONDITION_FAILED,
  );
}
