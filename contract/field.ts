import { z } from 'zod';

/** Zod building blocks for requests and views; sizes are characters, lists are counted in items. */

/** Bounded text that may be empty. */
export const text = (maxLength: number) => z.string().max(maxLength);

/** Bounded text with something other than white space in it. */
export const filledText = (maxLength: number) => text(maxLength).regex(/\S/, { error: 'must not be empty' });

export const name = filledText(500);
export const description = text(10_000);
export const tags = z.array(filledText(200)).max(100);

/** What a client sends as an id: text that is looked up. Anything but a UUID is an id that does not exist. */
export const givenId = filledText(200);

/** ISO 8601 UTC with milliseconds, as `Date.toISOString` writes it. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-03-14T09:26:53.589Z'] });

/** A moment in a query string. */
export const dayOrTime = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'expected a day such as 2026-03-14, or a time such as 2026-03-14T09:26:53Z',
  })
  .transform((text) => new Date(text));

/** An id assigned by the service. */
export const id = z.uuid().meta({ examples: ['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34'] });

/** A number in a query string; text that is not a number is left as it is, for the inner schema to refuse. */
export const queryNumber = <Inner extends z.ZodType>(inner: Inner) =>
  z.preprocess(
    (given) =>
      typeof given === 'string' && /^-?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/i.test(given) ? Number(given) : given,
    inner,
  );

/** Clients may send null for what they leave open. */
export const open = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** What stands in place of the rest of a secret. */
export const BULLETS = '••••••••';
