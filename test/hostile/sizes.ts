import { familyOf, filledWith, type HostileText } from './hostile-text';

const MEBIBYTE = 1024 * 1024;
const PROSE = 'Please describe the pain. Does it spread to your arm? Call an ambulance if it gets worse. ';

/** From nothing to more than is read. */
export function sizes(): HostileText[] {
  return familyOf('sizes', {
    empty: '',
    'one blank': ' ',
    'one line break': '\n',
    'one letter': 'x',
    'one full stop': '.',
    '64 KiB of prose': filledWith(PROSE, 65_536),
    '256 KiB of prose': filledWith(PROSE, 262_144),
    'almost 1 MiB of prose': filledWith(PROSE, MEBIBYTE - 2_048),
    '1 MiB less one': filledWith(PROSE, MEBIBYTE - 1),
    '1 MiB and one': filledWith(PROSE, MEBIBYTE + 1),
    '3 MiB of prose': filledWith(PROSE, 3 * MEBIBYTE),
    'one word of almost 1 MiB': filledWith('ambulance', MEBIBYTE - 2_048),
    'one line a letter, almost 1 MiB when written as JSON': filledWith('a\n', 340_000),
    '20,000 paragraphs': 'Call an ambulance.\n\n'.repeat(20_000),
    '50,000 numbered sentences': Array.from({ length: 50_000 }, (_, at) => `${at}. Rest.`).join(' '),
    '100,000 different words': Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}`).join(' '),
  });
}
