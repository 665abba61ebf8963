import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Finding } from '../api/scenarios';
import { lintScenario, type ScenarioDraft } from '../api/scenarios';

/** The wait after the last key, so as not to interrupt typing. */
const AFTER_MS = 600;
const NONE: readonly Finding[] = [];

export interface Lint {
  readonly findings: readonly Finding[];
  /** True until the first answer. */
  readonly isPending: boolean;
  /** Why there is no answer. */
  readonly error: Error | null;
}

/** The service's findings on a draft, a moment after the last change; until then the previous ones. */
export function useLint(draft: ScenarioDraft): Lint {
  const settled = useSettled(draft);
  const { data, isPending, error } = useQuery({
    queryKey: ['lint', settled.text],
    queryFn: ({ signal }) => lintScenario(settled.draft, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return { findings: data ?? NONE, isPending, error };
}

interface Settled {
  readonly text: string;
  readonly draft: ScenarioDraft;
}

/** The draft once it has not changed for a moment. */
function useSettled(draft: ScenarioDraft): Settled {
  const text = JSON.stringify(draft);
  const [settled, setSettled] = useState<Settled>({ text, draft });
  useEffect(() => {
    if (text === settled.text) return undefined;
    const timer = setTimeout(() => setSettled({ text, draft }), AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, draft, settled.text]);
  return settled;
}
