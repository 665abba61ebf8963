import { Link } from 'wouter';
import { PageHead } from './page-head';

export function NoSuchPage() {
  return (
    <>
      <PageHead title="There is no such page" />
      <p>
        The address may be mistyped, or what it named was deleted. <Link href="/">See all runs</Link>.
      </p>
    </>
  );
}
