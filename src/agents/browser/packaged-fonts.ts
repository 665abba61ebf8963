import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux says which fonts a machine has. A slim container has neither the file nor any font. */
export const SYSTEM_FONTS = '/etc/fonts/fonts.conf';

/**
 * Tells the packaged Chromium where its own fonts are: their package looks for them below `/tmp`. Text without any font
 * has no width, so that a page has no visible words at all. The machine's own fonts come first, where it has some.
 * @param folder where the browser is unpacked, with its fonts in `fonts`
 * @returns the path of a configuration for FONTCONFIG_FILE
 */
export async function configureFonts(folder: string, systemFonts: string): Promise<string> {
  const path = join(folder, 'agent-osce-fonts.conf');
  const content = configuration(folder, systemFonts);
  const present = await readFile(path, 'utf8').catch(() => null);
  if (present === content) return path;
  // Another process may be starting its browser from the same folder: it never reads half a file.
  const partial = `${path}.${process.pid}.partial`;
  await writeFile(partial, content, { mode: 0o644 });
  await rename(partial, path);
  return path;
}

function configuration(folder: string, systemFonts: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `  <include ignore_missing="yes">${escaped(systemFonts)}</include>`,
    // Where an operator may mount further fonts.
    '  <dir>/usr/local/share/fonts</dir>',
    `  <dir>${escaped(join(folder, 'fonts'))}</dir>`,
    '  <cachedir prefix="xdg">fontconfig</cachedir>',
    '</fontconfig>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
