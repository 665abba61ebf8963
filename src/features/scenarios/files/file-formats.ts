/** What a scenario's file is written in. Without YAML's parser, which the command loads only where it reads or writes a file. */
export const FILE_FORMATS = ['yaml', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
