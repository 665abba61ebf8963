import { z } from 'zod';
import { CHAT_COMPLETIONS } from '../chat-messages';
import { headers, optionalCredential, optionalText, pace, problem, replyFormat } from '../config-fields';
import { configReader } from '../config-reader';
import { AnswerPath } from './answer-path';
import { TemplateFault } from '../placeholders';
import { textPieces } from './text-body';
import { UrlTemplate } from './url-template';

/** Makes something of a text; what is wrong with the text is said with the field's name. */
const compiled =
  <T>(compile: (text: string) => T) =>
  (text: string, context: z.RefinementCtx): T => {
    try {
      return compile(text);
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      context.issues.push({ code: 'custom', message: error.message, input: text });
      return z.NEVER;
    }
  };

const path = optionalText.transform((text, context) =>
  text === undefined ? undefined : compiled((given) => AnswerPath.of(given))(text, context),
);

const word = (whatItIs: string) => z.string(`must be text: ${whatItIs}`).min(1, `is empty: ${whatItIs}`).max(100);

const WHAT_IT_IS = 'the address that takes the patient’s messages';

const HttpAgentConfig = z.object({
  ...pace,
  method: z.enum(['POST', 'GET', 'PUT', 'PATCH'], 'must be POST, GET, PUT or PATCH').default('POST'),
  url: z
    .string(problem(`is missing: set it to ${WHAT_IT_IS}`, `must be text: ${WHAT_IT_IS}`))
    .trim()
    .transform(compiled((text) => new UrlTemplate(text))),
  api_key: optionalCredential,
  headers: headers.default({}).transform((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const problems = compiled(headerProblem)(value, context);
      if (problems !== null) context.issues.push({ code: 'custom', message: problems, path: [name], input: undefined });
    }
    return given;
  }),
  body: z.unknown().optional(),
  reply_path: path,
  reply_format: replyFormat,
  stream_reply_path: path,
  stream_text: z
    .enum(
      ['pieces', 'cumulative'],
      'must be pieces, which are joined, or cumulative, where each event repeats all so far',
    )
    .default('pieces'),
  session_id_path: path,
  end_path: path,
  message_format: z
    .object(
      {
        role: word('the field that says who speaks').default(CHAT_COMPLETIONS.role),
        content: word('the field that holds what is said').default(CHAT_COMPLETIONS.content),
        user: word('the role of the patient').default(CHAT_COMPLETIONS.user),
        assistant: word('the role of the agent').default(CHAT_COMPLETIONS.assistant),
      },
      'must be an object with role, content, user and assistant',
    )
    .default(CHAT_COMPLETIONS),
});
export type HttpAgentConfig = z.infer<typeof HttpAgentConfig>;

export const HTTP_AGENT_SHAPE: object = HttpAgentConfig.shape;

export const readHttpAgentConfig = configReader(HttpAgentConfig);

function headerProblem(value: string): string | null {
  const isOther = textPieces(value).some((piece) => typeof piece !== 'string' && piece.placeholder !== 'session_id');
  return isOther ? 'holds another placeholder than {{session_id}}, the only one that a header can hold' : null;
}
