/** An agent that a curl line describes: the line is read as a shell and curl read it, and nothing is run or sent. */

export { agentFromLine } from './agent-from-line';
export type { AgentFromCurl } from './agent-from-curl';
export { CurlLineError } from './curl-line-error';
