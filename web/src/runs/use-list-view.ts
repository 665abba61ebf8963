import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { readView, writeView, type ListView } from './list-order';

/** Milliseconds from the last key to the change of the address: browsers refuse addresses that change at every key. */
const TYPED_AFTER_MS = 250;

/** The filters and order of a list, kept in the address. They replace the address: Back leaves the view, and coming back restores them. */
export function useListView(): { readonly view: ListView; readonly show: (changes: Partial<ListView>) => void } {
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const put = (changes: Partial<ListView>) =>
    setSearch((now) => writeView({ ...readView(now), ...changes }), { replace: true });
  const stored = readView(search);
  return {
    view: { ...stored, text: typed ?? stored.text },
    show: (changes) => {
      if (changes.text === undefined) return put(changes);
      const { text } = changes;
      setTyped(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        put({ text });
        setTyped(null);
      }, TYPED_AFTER_MS);
    },
  };
}
