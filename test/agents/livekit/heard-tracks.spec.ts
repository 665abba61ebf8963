import { HeardTracks } from '../../../src/agents/livekit/heard-tracks';

/** Tracks that hand on their last sound when they are told to. */
function heard() {
  const ended: string[] = [];
  const closed: string[] = [];
  const handOn = new Map<string, () => void>();
  const tracks = new HeardTracks<string>((sender, track) => ended.push(`${track} of ${sender}`));
  const listen = (track: string, sender: string): void =>
    tracks.add(track, sender, {
      close: () => {
        closed.push(track);
        return new Promise((resolve) => handOn.set(track, resolve));
      },
    });
  return { tracks, listen, ended, closed, handOn: (track: string) => handOn.get(track)?.() };
}

/** Whether it is resolved once all that was due has been done. */
async function isDone(work: Promise<void>): Promise<boolean> {
  let done = false;
  void work.then(() => (done = true));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

test('one who leaves is gone when all that was heard of it has been handed on, and of no other', async () => {
  const { tracks, listen, ended, closed, handOn } = heard();
  listen('voice', 'agent');
  listen('surroundings', 'agent');
  listen('other', 'visitor');
  const left = tracks.endThoseOf('agent');
  handOn('voice');
  expect(await isDone(left)).toBe(false);
  handOn('surroundings');
  expect(await isDone(left)).toBe(true);
  expect(ended).toEqual(['voice of agent', 'surroundings of agent']);
  expect(closed).toEqual(['voice', 'surroundings']);
  expect(tracks.has('other')).toBe(true);
});

test('also where its track ended first, and its last sound is still on its way', async () => {
  const { tracks, listen, ended, closed, handOn } = heard();
  listen('voice', 'agent');
  const unsubscribed = tracks.end('voice');
  const left = tracks.endThoseOf('agent');
  expect(await isDone(left)).toBe(false);
  expect(ended).toEqual([]);
  handOn('voice');
  expect([await isDone(unsubscribed), await isDone(left)]).toEqual([true, true]);
  expect([ended, closed]).toEqual([['voice of agent'], ['voice']]);
  await tracks.endThoseOf('agent');
  expect(ended).toHaveLength(1);
});

test('the end of a call waits for every track', async () => {
  const { tracks, listen, handOn } = heard();
  listen('voice', 'agent');
  listen('other', 'visitor');
  void tracks.end('other');
  const all = tracks.endAll();
  handOn('voice');
  expect(await isDone(all)).toBe(false);
  handOn('other');
  expect(await isDone(all)).toBe(true);
});
