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
 * Makes what a form is filled with, once: while it is under way a second click does nothing, and a further try with the same form
 * carries the same key, so that one whose answer was lost makes nothing twice.
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
      // What is drawn lags behind: a double click arrives before the button is disabled.
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const form = JSON.stringify(fields);
      if (asked.current.form !== form) asked.current = { form, key: newIdempotencyKey() };
      mutate(fields);
    },
  };
}
