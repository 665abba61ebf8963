/** A part of an ordered list. */
export interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** For TypeORM's `find`; the whole list when no part is asked for. */
export function findOptions(part: Part | undefined): { take?: number; skip?: number } {
  return part === undefined ? {} : { take: part.limit, skip: part.offset };
}
