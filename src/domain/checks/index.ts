/**
 * Patterns and schemas of checks, read by libraries that the page does without: both when a rubric is written, so that its author is
 * told what is wrong, and when a conversation is marked.
 */

export { compilePattern, patternProblem, patternSize, type Pattern } from './pattern';
export { compileSchema, schemaProblem, type ReplySchema } from './reply-schema';
