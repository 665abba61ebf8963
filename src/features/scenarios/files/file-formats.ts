/** What a scenario's file is written in. */
export const FILE_FORMATS = ['yaml', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
