import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', 'artifacts', 'client-peers', 'bin');

/** A program that scripts/install-client-peers.sh installs. @throws Error when it is not installed */
export function peerProgram(name: string): string {
  const path = join(FOLDER, name);
  if (!existsSync(path)) throw new Error(`${name} is missing: scripts/install-client-peers.sh installs it.`);
  return path;
}
