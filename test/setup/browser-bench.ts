import { silentLog } from '../../src/platform/config/log';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, Provider, Session } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { TEST_BROWSER_DIR } from './browser';

/** A short wait for the end of a reply: the fakes answer at once. The turn is for what goes well, also on a busy machine. */
const QUICK = { reply_idle_ms: 250, turn_timeout_ms: 120_000, max_retries: 0 } as const;

/** A provider with a browser of its own. */
export interface BrowserBench {
  readonly provider: Provider;
  connect(config: AgentConfig, signal?: AbortSignal): Promise<Session>;
  close(): Promise<void>;
}

/** @param targets where agents may live; by default the rules of TARGETS=local */
export function openBrowserBench(targets = TargetGuard.local()): BrowserBench {
  const configured = process.env['BROWSER_EXECUTABLE'] ?? null;
  const registry = new ProviderRegistry({
    budget: new InProcessRequestBudget(),
    browser: { configured, dataDir: TEST_BROWSER_DIR, allowNoSandbox: true },
    targets,
    log: silentLog,
  });
  const provider = registry.find('browser');
  if (provider === undefined) throw new Error('There is no browser provider.');
  return {
    provider,
    connect: (config, signal = new AbortController().signal) =>
      provider.connect(
        {
          agentId: '00000000-0000-4000-8000-000000000001',
          scenarioRunId: '00000000-0000-4000-8000-000000000002',
          attempt: 1,
          history: [],
          continuation: null,
          config: { ...QUICK, ...config },
        },
        signal,
      ),
    close: () => registry.close(),
  };
}
