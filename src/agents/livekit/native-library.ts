import { createRequire } from 'node:module';
import type { Availability } from '../provider';

/** Platforms that LiveKit publishes its native library for (`@livekit/rtc-ffi-bindings`). */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
};

/** Whether the native library is installed; nothing is loaded to find out. */
export function nativeLibrary(
  platform = `${process.platform}-${process.arch}`,
  resolve = resolveBinding,
): Availability {
  const part = PACKAGES[platform];
  if (part === undefined) {
    return {
      available: false,
      reason: `LiveKit publishes no native library for this platform (${platform}): run the service on Linux, macOS or Windows on x64 or arm64.`,
    };
  }
  const name = `@livekit/rtc-ffi-bindings-${part}`;
  try {
    resolve(name);
    return { available: true };
  } catch {
    return {
      available: false,
      reason: `LiveKit's native library (${name}) is not installed: run "npm ci" again with its optional packages.`,
    };
  }
}

/** Resolved from the package that loads it. */
function resolveBinding(name: string): void {
  const sdk = createRequire(__filename).resolve('@livekit/rtc-node');
  const bindings = createRequire(sdk).resolve('@livekit/rtc-ffi-bindings');
  createRequire(bindings).resolve(name);
}
