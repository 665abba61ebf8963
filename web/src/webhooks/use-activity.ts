import { useQuery } from '@tanstack/react-query';
import { getActivity, webhooks, type Delivery } from '../api/webhooks';

const LOOK_AGAIN_MS = 2_000;
const LOOK_SELDOM_MS = 30_000;

/** Whether a webhook is active, and its deliveries: read again more often while one of them is about to change. */
export function useActivity(webhookId: string) {
  return useQuery({
    queryKey: [webhooks.view, 'activity', webhookId],
    queryFn: ({ signal }) => getActivity(webhookId, signal),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isUnderWay) === true ? LOOK_AGAIN_MS : LOOK_SELDOM_MS),
  });
}

/** Excludes deliveries that wait for hours. */
function isUnderWay({ status, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && Date.parse(next_attempt_at ?? '') < Date.now() + LOOK_SELDOM_MS;
}
