import { Link } from 'wouter';
import { PageHead } from './page-head';

export function NoSuchPage() {
  return (
    <>
      <PageHead title="Page not found" />
      <p>
        The address may be mistyped, or what it referred to was deleted. <Link href="/">See all runs</Link>.
      </p>
    </>
  );
}
