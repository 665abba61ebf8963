import { BadRequestException } from '@nestjs/common';
import type { AgentOfCurlLine, ReadCurlLineRequest } from '../../../contract/agent-trials';
import { agentFromLine, CurlLineError } from '../../agents/curl';
import { conversationWarning } from '../../domain';

/** The fields of an agent that a curl line describes. @throws BadRequestException for a line that cannot be used */
export async function agentOfCurlLine({ curl, message, keep_session }: ReadCurlLineRequest): Promise<AgentOfCurlLine> {
  const { name, config, messageAt, sessionAt, remarks } = await read(curl, message, !keep_session);
  const warning = conversationWarning('http', config);
  return {
    name,
    provider: 'http',
    config,
    message_at: messageAt,
    session_at: [...sessionAt],
    remarks: [...remarks],
    warnings: warning === null ? [] : [warning],
  };
}

async function read(curl: string, message: string | undefined, replacesSession: boolean) {
  try {
    return await agentFromLine(curl, { message, replacesSession }, { environment: {}, readFile: noFile });
  } catch (error) {
    throw error instanceof CurlLineError ? new BadRequestException(error.message) : error;
  }
}

/** The caller's files are not here, and this machine's are not the caller's. */
function noFile(): Promise<string> {
  const sentence = 'The line takes its data from a file (@…): put the text of the file in its place.';
  return Promise.reject(new CurlLineError(sentence));
}
