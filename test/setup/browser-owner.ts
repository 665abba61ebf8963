import { openBrowserBench } from './browser-bench';

/**
 * A process that holds a conversation with a chat page until it is killed: prints `ready` when the page is open.
 * Usage: node -r register-typescript.cjs browser-owner.ts URL
 */
async function main(url: string): Promise<void> {
  await openBrowserBench().connect({ url });
  process.stdout.write('ready\n');
  setInterval(() => undefined, 60_000);
}

void main(process.argv[2] ?? '');
