import type { OpenAPIObject } from '@nestjs/swagger';
import { suffices } from '../src/platform/access/caller';
import { ROLES } from '../contract/operation';

const BEGIN = '<!-- Written by npm run roles from the description of the API. -->';
const END = '<!-- End of what is written. -->';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The page with its table as the description of the API has it. @throws Error when the page has no place for one */
export function withRolesTable(page: string, document: OpenAPIObject): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error('docs/roles.md has no place for its table.');
  return `${page.slice(0, before)}${BEGIN}\n\n${rolesTable(document)}\n\n${page.slice(after)}`;
}

/** Who may what: a row an endpoint, in the order of the description. */
function rolesTable({ paths }: OpenAPIObject): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [row(`${method.toUpperCase()} ${path}`, operation)];
    }),
  );
  const columns = ['endpoint', 'what it does', 'no key', ...ROLES];
  return [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...rows].join('\n');
}

function row(endpoint: string, operation: { readonly summary?: string | undefined }): string {
  const needed = 'x-role' in operation ? operation['x-role'] : undefined;
  const marks = ROLES.map((role) => ROLES.some((known) => known === needed && suffices(role, known)));
  const cells =
    needed === 'anyone' ? ['yes', ...ROLES.map(() => 'yes')] : ['', ...marks.map((may) => (may ? 'yes' : ''))];
  return `| \`${endpoint}\` | ${operation.summary} | ${cells.join(' | ')} |`;
}
