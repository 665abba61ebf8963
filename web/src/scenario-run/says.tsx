import { lazy, Suspense, type ComponentType } from 'react';
import { UntrustedText, type Range } from '../parts/untrusted-text';
import { isMarkdown } from './markdown';

interface Props {
  readonly text: string;
  readonly ranges: readonly Range[];
  /** The criterion under the pointer. */
  readonly active: number | null;
  readonly isRaw: boolean;
}

/** Loaded when the first message needs it. A page that is older than the service no longer finds it, and shows the text unformatted. */
const FormattedText = lazy(() =>
  import('./formatted-text').then(({ FormattedText: found }) => as(found)).catch(() => as(AsItIs)),
);

type Shown = ComponentType<{ readonly text: string }>;

function as(shown: Shown): { readonly default: Shown } {
  return { default: shown };
}

function AsItIs({ text }: { readonly text: string }) {
  return <UntrustedText text={text} />;
}

/** A message: Markdown is formatted, except while evidence in it is highlighted, since quotes refer to the raw text. */
export function Says({ text, ranges, active, isRaw }: Props) {
  const raw = <UntrustedText text={text} ranges={ranges} active={active} />;
  const isPointedAt = active !== null && ranges.some(({ of }) => of === active);
  if (isRaw || isPointedAt || !isMarkdown(text)) return raw;
  return (
    <Suspense fallback={raw}>
      <FormattedText text={text} />
    </Suspense>
  );
}
