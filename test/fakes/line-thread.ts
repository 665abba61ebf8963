import { LineThread, type LineListener } from '../../src/agents/media-stream/line-thread';
import type { LineCommand } from '../../src/agents/media-stream/line-wire';

/** What a line is told by its thread. */
export type ToldOfLine = Parameters<LineListener>[0];

/** In place of the thread: what it is asked for is kept, and a test tells what came of it. */
export class QuietThread extends LineThread {
  readonly asked: LineCommand[] = [];
  readonly forgotten: string[] = [];
  private readonly hearing = new Map<string, LineListener>();

  /** @param answers what is told as soon as something is asked for */
  constructor(private readonly answers: (command: LineCommand) => readonly ToldOfLine[]) {
    super();
  }

  override listen(line: string, listener: LineListener): void {
    this.hearing.set(line, listener);
  }

  override forget(line: string): void {
    this.forgotten.push(line);
    this.hearing.delete(line);
  }

  override send(command: LineCommand): void {
    this.asked.push(command);
    for (const told of this.answers(command)) this.tell(told);
  }

  tell(told: ToldOfLine): void {
    for (const listener of [...this.hearing.values()]) listener(told);
  }
}

/** A thread that connects, carries out everything, and leaves when it is asked to. */
export function obedient(command: LineCommand): readonly ToldOfLine[] {
  if (command.type === 'ring') return [{ type: 'connected' }];
  if (command.type === 'hangUp') return [{ type: 'left' }];
  return command.type === 'hush' ? [] : [{ type: 'called', call: command.call }];
}
