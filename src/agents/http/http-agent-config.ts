import { z } from 'zod';
import type { ConfigFieldOf } from '../../../contract/agent-kinds';
import { CHAT_COMPLETIONS } from '../chat-messages';
import { headers, optionalCredential, optionalText, pace, problem, replyFormat, isHttpUrl } from '../config-fields';
import { configReader } from '../config-reader';
import { TemplateFault, piecesOf, type Piece, type Placeholder } from '../placeholders';
import { AnswerPath } from './answer-path';
import { textPieces, filled, placeholdersIn, type Values } from './text-body';

/** An address with placeholders in its path and query, where values are encoded: none of them can lead to another host or path. */
export class UrlTemplate {
  /** The address before it is filled. */
  readonly url: URL;
  readonly placeholders: ReadonlySet<Placeholder>;
  private readonly pieces: readonly Piece[];

  /** @throws TemplateFault */
  constructor(text: string) {
    if (!isHttpUrl(text) || /[{}]/.test(new URL(text).host)) {
      throw new TemplateFault(
        'must be a complete http or https address, without user and password, and with placeholders in its path and query only',
      );
    }
    // Says of an unknown name how it was written.
    piecesOf(text);
    this.url = new URL(text);
    this.pieces = textPieces(unescapedBraces(this.url.pathname + this.url.search));
    this.placeholders = placeholdersIn(this.pieces);
  }

  /** Path and query. */
  pathFor(values: Values): string {
    return filled(this.pieces, values, inUrl);
  }
}

/** The URL parser has escaped the braces of a path, and spaces in them. */
function unescapedBraces(path: string): string {
  return path.replace(/(?:%7B|\{){2}((?:[\w-]|%20){0,100})(?:%7D|\}){2}/gi, (_, name: string) => {
    return `{{${name.replaceAll('%20', ' ')}}}`;
  });
}

function inUrl(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  // A step to the folder above, however it is encoded.
  return encoded === '.' || encoded === '..' ? encoded.replaceAll('.', '%252E') : encoded;
}

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

const callsPath = optionalText.transform((text, context) =>
  text === undefined ? undefined : compiled((given) => AnswerPath.ofRecords(given))(text, context),
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
  tool_calls_path: callsPath,
  usage_path: path,
  context_path: path,
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
} satisfies Readonly<Record<ConfigFieldOf<'http'>, z.ZodType>>);
export type HttpAgentConfig = z.infer<typeof HttpAgentConfig>;

export const HTTP_AGENT_SHAPE: object = HttpAgentConfig.shape;

export const readHttpAgentConfig = configReader(HttpAgentConfig);

function headerProblem(value: string): string | null {
  const isOther = textPieces(value).some((piece) => typeof piece !== 'string' && piece.placeholder !== 'session_id');
  return isOther ? 'holds another placeholder than {{session_id}}, the only one that a header can hold' : null;
}
