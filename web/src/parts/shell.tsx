import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { getHealth } from '../api/health';
import { serviceKey } from '../api/service-key';
import { Offered, useMe } from './permissions';
import { SignOutButton } from './sign-in-button';
import { Name } from './untrusted-text';

interface Place {
  readonly path: string;
  readonly label: string;
  /** Other first segments that belong here. */
  readonly also: readonly string[];
}

const PLACES: readonly Place[] = [
  { path: '/', label: 'Runs', also: ['runs', 'scenario-runs', 'start'] },
  { path: '/agents', label: 'Agents', also: ['agents'] },
  { path: '/scenarios', label: 'Scenarios', also: ['scenarios'] },
  { path: '/suites', label: 'Suites', also: ['suites'] },
  { path: '/schedules', label: 'Schedules', also: ['schedules'] },
  { path: '/compare', label: 'Compare', also: ['compare'] },
  { path: '/calibrations', label: 'Judge', also: ['calibrations'] },
  { path: '/inspect', label: 'Activity', also: ['inspect'] },
  { path: '/webhooks', label: 'Webhooks', also: ['webhooks'] },
];

/** The frame of every view: the current place, the links to others, and what the service lacks. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const arrived = useRef(location);
  const [isUnfolded, setUnfolded] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (arrived.current === location) return;
    arrived.current = location;
    setUnfolded(false);
    // As after a page load: scroll to the top of the new view, and let screen readers start at its beginning.
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);
  const pressed = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isUnfolded) return;
    setUnfolded(false);
    opener.current?.focus();
  };
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className={isUnfolded ? 'rail unfolded' : 'rail'} onKeyDown={pressed}>
        <Link href="/" className="wordmark">
          <Mark />
          <span>Agent OSCE</span>
        </Link>
        {/* Only where the screen is narrow. */}
        <button
          ref={opener}
          type="button"
          className="button fold"
          aria-expanded={isUnfolded}
          aria-controls="places"
          onClick={() => setUnfolded(!isUnfolded)}
        >
          Menu
        </button>
        <nav id="places" aria-label="Main">
          <ul>
            {PLACES.map((place) => (
              <li key={place.path}>
                <Link href={place.path} aria-current={isHere(place, location) ? 'page' : undefined}>
                  {place.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Offered to="run">
          <Link href="/start" className="button primary start">
            Start a run
          </Link>
        </Offered>
        <ServiceNotes />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function isHere({ path, also }: Place, location: string): boolean {
  const section = location.split('/')[1] ?? '';
  return location === path || also.includes(section);
}

function ServiceNotes() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => getHealth(signal),
    refetchInterval: 60_000,
  });
  const me = useMe();
  const { key } = useSyncExternalStore(serviceKey.subscribe, serviceKey.get);
  const checks = health.data?.checks;
  const notes = checks === undefined ? [] : [checks.tester, checks.judge].filter(({ status }) => status !== 'ok');
  return (
    <div className="service-notes">
      {notes.length > 0 && (
        <details className="offline-note">
          <summary>Patient or judge uses rules, not a model</summary>
          {notes.map(({ detail }) => (
            <p key={detail}>{detail}</p>
          ))}
        </details>
      )}
      <p className="version">
        {health.data && <span>Version {health.data.version}</span>}
        <a href="/docs">API</a>
        {me?.role === 'admin' && <Link href="/audit">Audit</Link>}
        {me?.role === 'admin' && <Link href="/keys">Keys</Link>}
        {me?.signed_in === true && (
          <span>
            Signed in as <Name>{me.name}</Name> ({me.role})
          </span>
        )}
        {me?.signed_in === true && <SignOutButton />}
        {key !== null && me !== undefined && (
          <span>
            Key “<Name>{me.name}</Name>” ({me.role})
          </span>
        )}
        {key !== null && (
          <button type="button" className="link" onClick={() => serviceKey.forget()}>
            Remove key
          </button>
        )}
      </p>
    </div>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="7" className="mark-box" />
      <path d="M9 16.5l4.6 4.8L23 11" className="mark-tick" />
    </svg>
  );
}
