/** Where the map of each file's compiled lines to its own lines stands, by the file's path. */
export const sourceMaps: Map<string, string>;

/** What is compiled instead of a file's own text, by the file's path. */
export const sourcesInstead: Map<string, string>;
