import { cpus, totalmem } from 'node:os';

/** The machine in one line, without which a figure says nothing. */
export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${processors.length} cores of ${model}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}
