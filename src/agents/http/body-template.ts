import { JsonBodyTemplate } from './json-body-template';
import { TemplateFault } from '../placeholders';
import { FormBody, TextBody } from './text-body';
import type { BodyTemplate } from './values';

/**
 * @param contentType of the config's headers; without one an object is JSON, and text is plain text
 * @throws TemplateFault
 */
export function bodyTemplate(template: unknown, contentType: string | undefined): BodyTemplate {
  const type = (contentType ?? (typeof template === 'string' ? 'text/plain; charset=utf-8' : 'application/json'))
    .trim()
    .toLowerCase();
  const [media = ''] = type.split(';');
  if (/^[\w.-]+\/([\w.-]+\+)?json$/.test(media.trim())) {
    if (typeof template === 'string') {
      throw new TemplateFault('must be JSON, not text that holds it: an object such as { "message": "{{message}}" }');
    }
    return new JsonBodyTemplate(template);
  }
  if (media.trim() === 'application/x-www-form-urlencoded') return new FormBody(template);
  if (/^text\/|\bxml$/.test(media.trim())) return new TextBody(template, type);
  throw new TemplateFault(
    `cannot be sent as ${media.slice(0, 60)}: JSON, application/x-www-form-urlencoded, text and XML can`,
  );
}
