import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FakeMessage } from './fake-agent';
import type { Step } from './http-stub';
import type { BotBehaviour, RoomBot } from './room-bots';

/** What a bot does with a message of the patient. */
export interface Patient {
  /** The message arrived. */
  heard(text: string): void;
  /** What the next message meets instead of a reply; null: a reply. */
  nextStep(): Step | null;
  /** A message was answered, or nobody waits for its answer any more. */
  done(): void;
  readonly reply: (messages: readonly FakeMessage[]) => string;
  readonly delayMs: number;
  /** What the bot says of its own accord when the patient is there. */
  readonly greeting?: string | undefined;
}

const rtvi = (type: string, data?: unknown, id?: string): object => ({ label: 'rtvi-ai', type, id, data });

/** A bot as Pipecat makes them: it speaks RTVI in data packets, with the sequence of events that a real one has. */
export function rtviBot(bot: RoomBot, patient: Patient): BotBehaviour {
  const memory: FakeMessage[] = [];
  const answer = (id: string, content: string): void => {
    patient.heard(content);
    bot.publish(rtvi('bot-interrupted'));
    bot.publish(rtvi('user-input', { text: content, input_type: 'chat', msg_id: id, final: true }));
    bot.publish(rtvi('user-llm-text', { text: content }));
    bot.publish(rtvi('bot-llm-started'));
    const step = patient.nextStep();
    if (step !== null) {
      if (isAnswered(step)) {
        bot.publish(rtvi('error', { error: 'Error during completion: the model is away', fatal: false }));
        bot.publish(rtvi('bot-llm-stopped'));
        patient.done();
      }
      return;
    }
    memory.push({ role: 'user', content });
    const text = patient.reply(memory);
    memory.push({ role: 'assistant', content: text });
    setTimeout(() => {
      for (const piece of text.match(/\s*\S+\s*/g) ?? [text]) bot.publish(rtvi('bot-llm-text', { text: piece }));
      bot.publish(rtvi('bot-transcription', { text }));
      bot.publish(rtvi('bot-llm-stopped'));
      patient.done();
    }, patient.delayMs);
  };
  return {
    isVoice: true,
    onData: (payload) => {
      const message = readMessage(payload);
      if (message?.type === 'client-ready') {
        const about = { library: 'pipecat-ai', library_version: '1.14.0' };
        bot.publish(rtvi('bot-ready', { version: '2.2.0', about }, message.id));
        if (patient.greeting !== undefined) {
          bot.publish(rtvi('bot-llm-started'));
          bot.publish(rtvi('bot-llm-text', { text: patient.greeting }));
          bot.publish(rtvi('bot-llm-stopped'));
        }
      } else if (message?.type === 'send-text') answer(message.id, message.content);
      else if (message?.type === 'disconnect-bot') bot.leave();
    },
    onLeft: () => {
      patient.done();
      bot.leave();
    },
  };
}

/** A bot that hears and answers in text streams and knows no RTVI. */
export function textBot(bot: RoomBot, patient: Patient): BotBehaviour {
  const memory: FakeMessage[] = [];
  return {
    onCame: () => {
      if (patient.greeting !== undefined) bot.say([patient.greeting]);
    },
    onText: (content) => {
      patient.heard(content);
      const step = patient.nextStep();
      if (step !== null) return;
      memory.push({ role: 'user', content });
      const text = patient.reply(memory);
      memory.push({ role: 'assistant', content: text });
      setTimeout(() => {
        bot.say(text.match(/\s*\S+\s*/g) ?? [text]);
        patient.done();
      }, patient.delayMs);
    },
    onLeft: () => {
      patient.done();
      bot.leave();
    },
  };
}

/** Whether the step, made for an HTTP server, answers at all: a bot then says that it failed, and is silent otherwise. */
function isAnswered(step: Step): boolean {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  step(response, { method: 'POST', path: '/', headers: {}, body: null });
  return response.writableEnded;
}

function readMessage(payload: string): { type: string; id: string; content: string } | null {
  const json: unknown = JSON.parse(payload);
  if (typeof json !== 'object' || json === null || !('type' in json) || !('id' in json)) return null;
  const data = 'data' in json && typeof json.data === 'object' && json.data !== null ? json.data : {};
  const content = 'content' in data && typeof data.content === 'string' ? data.content : '';
  return { type: String(json.type), id: String(json.id), content };
}
