import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { agents, type Agent } from '../api/agents';
import { approvalState } from '../../../src/domain';
import { scenarios, type Scenario } from '../api/scenarios';
import { counted } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { useList } from '../parts/use-resource';

/** The model name of the demo agent, which the first start registers. */
const DEMO_MODEL = 'demo-clinic-agent';

/** The steps to a first result, in a service without runs: which are done, and links to the others. */
export function FirstSteps() {
  const registered = useList(agents);
  const library = useList(scenarios);
  const failed = [registered, library].find(({ isError }) => isError);
  if (failed) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
  if (registered.data === undefined || library.data === undefined) return null;
  const active = registered.data.filter(({ is_active }) => is_active);
  const own = active.filter((agent) => !isDemo(agent));
  const approved = library.data.filter((scenario) => scenario.approved);
  const canStart = active.length > 0 && approved.length > 0;
  return (
    <section className="empty first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">No runs yet: three steps to your first result</h2>
      <ol>
        <Step
          place={1}
          title="Connect your agent"
          isDone={own.length > 0}
          link={<Way href={own.length > 0 ? '/agents' : '/agents/new'} isNext={!canStart && own.length === 0} />}
        >
          {agentSentence(own, active)}
        </Step>
        <Step
          place={2}
          title="Choose scenarios"
          isDone={approved.length > 0}
          link={<Way href="/scenarios" isNext={active.length > 0 && approved.length === 0} />}
        >
          {scenarioSentence(library.data)}
        </Step>
        <Step place={3} title="Start a run" isDone={false} link={<Way href="/start" isNext={canStart} />}>
          Watch it live, then read the result with the words that earned each mark.
        </Step>
      </ol>
    </section>
  );
}

const LABELS = {
  '/agents': 'See your agents',
  '/agents/new': 'Register an agent',
  '/scenarios': 'Open the library',
  '/start': 'Start a run',
} as const;

function Way({ href, isNext }: { readonly href: keyof typeof LABELS; readonly isNext: boolean }) {
  return (
    <Link href={href} className={isNext ? 'button primary' : 'button'}>
      {LABELS[href]}
    </Link>
  );
}

interface StepProps {
  readonly place: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly link: ReactNode;
  readonly children: string;
}

function Step({ place, title, isDone, link, children }: StepProps) {
  return (
    <li className={isDone ? 'first-step done' : 'first-step'}>
      <span className="place" aria-hidden="true">
        {isDone ? '✓' : place}
      </span>
      <div>
        <h3>
          {title}
          {isDone && <span className="unseen"> (done)</span>}
        </h3>
        <p className="quiet">{children}</p>
      </div>
      {link}
    </li>
  );
}

function isDemo({ provider, config }: Agent): boolean {
  return provider === 'openai' && config['model'] === DEMO_MODEL;
}

function agentSentence(own: readonly Agent[], active: readonly Agent[]): string {
  if (own.length > 0) return `${counted(own.length, 'agent is', 'agents are')} registered.`;
  const kinds = 'Any HTTP API, a voice platform or a chat page';
  if (active.length > 0) return `${kinds}. Until yours is connected, the demo agent stands in for it.`;
  return `${kinds}: register the assistant you want to examine.`;
}

function scenarioSentence(library: readonly Scenario[]): string {
  const approved = library.filter((scenario) => scenario.approved);
  const unsigned = approved.filter((scenario) => approvalState(scenario) !== 'signed').length;
  if (approved.length > 0) {
    const choice = `${counted(approved.length, 'scenario')} to choose from: all of them, by tag, or one by one.`;
    return unsigned === 0 ? choice : `${choice} No clinician has signed ${unsigned.toLocaleString()} of them.`;
  }
  const waiting = library.length;
  if (waiting > 0) return `${counted(waiting, 'scenario is', 'scenarios are')} waiting for a clinician’s approval.`;
  return 'The library is empty: generate scenarios from a protocol, or write one.';
}
