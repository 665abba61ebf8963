/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Prometheus reads numbers as Go does, whatever the case of NaN. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?(?:Inf|NaN|\d[\d.e+-]*))$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of Prometheus' text format. @throws Error for a line that is none */
export function readScrape(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === '') throw new Error(`Not a sample: ${line}`);
    const read = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
    return { name, labels: Object.fromEntries(read), value: Number(value.replace('Inf', 'Infinity')) };
  });
}

/** Scrapes a service. @throws Error when it answers anything but 200 */
export async function scrape(url: string, token?: string): Promise<Sample[]> {
  return readScrape(await scrapeText(url, token));
}

export async function scrapeText(url: string, token?: string): Promise<string> {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/metrics`, headers && { headers });
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}.`);
  return response.text();
}

/** The sum of all samples of the name that have these labels. */
export function total(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels);
  return samples
    .filter((sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
