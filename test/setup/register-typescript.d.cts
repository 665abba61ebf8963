/** Compiles the files that have changed since they were last compiled. A file that cannot be compiled fails the spec that loads it. */
export function compileAll(filenames: Iterable<string>): Promise<void>;

/** The JavaScript of a file. */
export function compiled(filename: string): string;

/** Where the map of each file's compiled lines to its own lines stands, by the file's path. */
export const sourceMaps: Map<string, string>;

/** What is compiled instead of a file's own text, by the file's path. */
export const sourcesInstead: Map<string, string>;
