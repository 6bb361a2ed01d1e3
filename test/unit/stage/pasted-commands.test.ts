import { describe, expect, it } from 'vitest';
import { whyWords } from '../../../operator/ott/why/explain-event.ts';
import { quoted } from '../../../operator/platform/terminal/quoted.ts';
import { findUser } from '../../../operator/stage/find/people-timelines.ts';
import { shellWords } from '../../support/platform/shell-words.ts';

const user = 'auth0|5f7c8e';

describe('a command that is printed to be pasted', () => {
  it.each([user, "it's", '$HOME `id` "x" *', 'https://example.com/hook?a=1&b=2', 'a\\b', ''])(
    'brings a word through a shell as it is: %s',
    (word) => {
      expect(shellWords(quoted(word))).toEqual([word]);
    },
  );

  it("has the user's id as one word, if `find` prints it", async () => {
    const trace = {
      userSub: user,
      registrationId: 'r',
      version: 1,
      changedAt: '2026-11-20T10:00:00Z',
      isRemoved: false,
    };
    const timeline = await findUser(
      {
        users: { trace: async () => trace },
        subs: { ofRegistration: async () => new Map() } as never,
        wallets: { find: async () => undefined } as never,
      },
      user,
    );

    expect(timeline?.commands.map(shellWords)).toEqual([['users', 'show', user]]);
  });

  it('has the words of the question, if the console explains why a viewer may not play', () => {
    const question = { eventId: 'cup-final', client: 'web app', viewer: 'not-bought' };

    expect(shellWords(whyWords(question))).toEqual([
      ...['events', 'why', 'cup-final', '--client', 'web app', '--viewer', 'not-bought'],
    ]);
    expect(shellWords(whyWords({ ...question, country: 'DE', user }))).toEqual([
      ...['events', 'why', 'cup-final', '--client', 'web app', '--country', 'DE', '--user', user],
      ...['--viewer', 'not-bought'],
    ]);
  });
});
