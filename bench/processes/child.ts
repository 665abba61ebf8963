import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { answerMessage, type Command } from './commands';

/** A child process of the bench, controlled over Node's IPC channel. */
export class Child<Accepted extends Command> {
  private lastId = 0;
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

  private constructor(
    private readonly name: string,
    private readonly process: ChildProcess,
  ) {
    process.on('message', (message) => this.hear(message));
    process.on('exit', () => this.failAll());
  }

  /** @param name of the file `<name>.main` in this folder */
  static start<Accepted extends Command>(name: string): Child<Accepted> {
    return new Child(name, fork(join(__dirname, `${name}.main.js`)));
  }

  /** @throws Error with the child's error message, or when it ended */
  async ask<Answer>(command: Accepted, answer: z.ZodType<Answer>): Promise<Answer> {
    const id = (this.lastId += 1);
    const answered = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.process.send({ id, command });
    return answer.parse(await answered);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    if (this.process.connected) this.process.disconnect();
    await ended;
  }

  private hear(message: unknown): void {
    const { id, error, value } = answerMessage.parse(message);
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(`${this.name}: ${error}`));
  }

  private failAll(): void {
    for (const { reject } of this.waiting.values()) reject(new Error(`${this.name} ended.`));
    this.waiting.clear();
  }
}
