import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where `npm run build` puts the page: dist/web, found from the sources and from the built files. Null: not built. */
export function builtPageFolder(below = __dirname): string | null {
  const folder = join(below, 'dist', 'web');
  if (existsSync(join(folder, 'index.html'))) return folder;
  const parent = dirname(below);
  return parent === below ? null : builtPageFolder(parent);
}
