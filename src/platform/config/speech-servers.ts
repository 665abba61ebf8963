import type { Environment } from './environment';
import { SettingsError } from './setting-values';

/** An OpenAI-compatible server for speech or for transcriptions, and the settings that name it. */
export interface SpeechServer {
  /** With the path before `/audio/`: `https://speech.example/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null: the server asks for none. */
  readonly apiKey: string | null;
  readonly variables: { readonly url: string; readonly model: string; readonly key: string };
}

/** Who speaks for the patient in spoken examinations, and who hears the agent. */
export interface SpeechSettings {
  /** Null: espeak-ng on this machine. */
  readonly speech: SpeechServer | null;
  /** A name that the engine knows; null: its usual one. */
  readonly voice: string | null;
  /** Null: no transcriber. */
  readonly transcription: SpeechServer | null;
}

type Purpose = 'SPEECH' | 'TRANSCRIPTION';

/** @throws SettingsError where a server has no model, or a model or key no server */
export function speechSettingsOf(environment: Environment): SpeechSettings {
  return {
    speech: serverOf('SPEECH', environment),
    voice: environment.SPEECH_VOICE ?? null,
    transcription: serverOf('TRANSCRIPTION', environment),
  };
}

function serverOf(purpose: Purpose, environment: Environment): SpeechServer | null {
  const variables = { url: `${purpose}_URL`, model: `${purpose}_MODEL`, key: `${purpose}_API_KEY` } as const;
  const [baseUrl, model, apiKey] = [
    environment[variables.url],
    environment[variables.model],
    environment[variables.key],
  ];
  if (baseUrl === undefined) {
    const given = model === undefined ? (apiKey === undefined ? null : variables.key) : variables.model;
    if (given === null) return null;
    throw new SettingsError(
      `${given} is set and ${variables.url} is not: set it to the server's address (OpenAI's is https://api.openai.com/v1), or leave ${given} out.`,
    );
  }
  if (model === undefined) {
    throw new SettingsError(
      `${variables.url} is set and ${variables.model} is not: set it to a model that the server has.`,
    );
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), model, apiKey: apiKey ?? null, variables };
}
