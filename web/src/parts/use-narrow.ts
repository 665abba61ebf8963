import { useMemo, useSyncExternalStore } from 'react';

/** As in the style sheets: a phone, or a laptop at 200 %. */
const NARROW = '(max-width: 52rem)';

/** Whether the screen is narrow, also after it was turned. */
export function useIsNarrow(): boolean {
  const narrow = useMemo(() => window.matchMedia(NARROW), []);
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
