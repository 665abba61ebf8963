import { readFile } from 'node:fs/promises';
import { UsageFailure } from './failure';
import { shortened } from './output/harmless-text';

/** Larger than any request the service accepts. */
const LARGEST = 16 * 1024 * 1024;
/** The most characters of a path in a message. */
const LONGEST_NAMED = 300;

/** A file's text; `-` is standard input. @throws UsageFailure */
export async function readText(path: string): Promise<string> {
  const bytes = path === '-' ? await readStandardInput() : await readWhole(path);
  if (bytes.length > LARGEST) throw new UsageFailure(`${nameOf(path)} is larger than 16 MiB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageFailure(`${nameOf(path)} is not UTF-8 text.`);
  }
}

/** A file that holds one JSON object. @throws UsageFailure */
export async function readJsonObject(path: string): Promise<Record<string, unknown>> {
  const value = jsonIn(await readText(path), nameOf(path));
  if (!isObject(value)) throw new UsageFailure(`${nameOf(path)} must hold one JSON object.`);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param where the source of the text, for the message. @throws UsageFailure */
export function jsonIn(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFailure(`${where} is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

/** How messages refer to a path. */
export function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new UsageFailure(`${shortened(path, LONGEST_NAMED)} cannot be read: ${shortened(reason, LONGEST_NAMED)}`);
  }
}

async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > LARGEST) break;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
