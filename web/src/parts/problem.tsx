import { ApiError } from '../api/client';
import { Name } from './untrusted-text';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** A failure in the service's own words. */
export function Problem({ error, onRetry }: Props) {
  return (
    <div className="problem" role="alert">
      <p>
        <Name>{sentenceOf(error)}</Name>
      </p>
      {onRetry && (
        <button type="button" className="button small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'Something went wrong on this page. Reload it; if that does not help, look in the browser’s console.';
}
