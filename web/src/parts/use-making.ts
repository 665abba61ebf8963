import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { newIdempotencyKey } from '../api/idempotency-key';
import type { Saving } from './saving';

interface Asked {
  /** The filled form, as text; null before the first try and once it was made. */
  readonly form: string | null;
  readonly key: string;
}

/**
 * Creates once what a form holds: a second click during the request does nothing, and a retry with the same form has the same
 * idempotency key, so that nothing is created twice when an answer was lost.
 */
export function useMaking<Fields, Made>(
  make: (fields: Fields, key: string) => Promise<Made>,
  onMade: (made: Made) => Promise<void> | void,
): Saving<Fields> {
  const asked = useRef<Asked>({ form: null, key: '' });
  const isUnderWay = useRef(false);
  const { mutate, isPending, isError, isSuccess, error } = useMutation({
    mutationFn: (fields: Fields) => make(fields, asked.current.key),
    onSuccess: async (made) => {
      asked.current = { form: null, key: '' };
      await onMade(made);
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  return {
    isPending,
    isError,
    isSuccess,
    error,
    mutate: (fields) => {
      // Drawing lags behind: a double click arrives before the button is disabled.
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const form = JSON.stringify(fields);
      if (asked.current.form !== form) asked.current = { form, key: newIdempotencyKey() };
      mutate(fields);
    },
  };
}
