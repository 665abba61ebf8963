import { agentFromCurl, type AgentFromCurl, type CurlOptions } from './agent-from-curl';
import { CurlLineError } from './curl-line-error';
import { curlRequest, type ReadFile } from './curl-request';
import { shellWords, type Environment } from './shell-words';

/** Where a line is read: what it names besides itself. */
export interface Surroundings {
  readonly environment: Environment;
  /** @throws where there are no files that a line may name */
  readonly readFile: ReadFile;
}

/**
 * The agent of the kind `http` that is called as a curl line calls it, named after its host.
 * @param line its text, or the words into which a shell has split it
 * @throws CurlLineError, and what reading a file throws
 */
export async function agentFromLine(
  line: string | readonly string[],
  options: CurlOptions,
  { environment, readFile }: Surroundings,
): Promise<AgentFromCurl & { readonly name: string }> {
  const words = typeof line === 'string' ? wordsOf(line, environment) : line;
  const request = await curlRequest(words, readFile);
  return { name: request.url.hostname, ...agentFromCurl(request, options) };
}

function wordsOf(line: string, environment: Environment): readonly string[] {
  const { words, rest } = shellWords(line.trim().replace(/^\$\s/, ''), environment);
  if (rest === '') return words;
  throw new CurlLineError(
    `After the command the line goes on with ${rest.charAt(0) === '\n' ? 'another line' : `"${rest.charAt(0)}"`}: ` +
      'put the address in quotes if it holds that character, or leave out what follows.',
  );
}
