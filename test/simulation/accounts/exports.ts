/** Judges the copies that users take: all of their own, and nothing about anybody else. */
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { People, Registration } from './people.ts';
import { tellingTexts } from './readable.ts';
import { type Accounts, accountClient } from './service.ts';

const pagesAtMost = 20;

const cursorIn = ({ headers }: HttpResponse): string | undefined => {
  const [, address] = /<([^>]+)>; rel="next"/.exec(String(headers?.link ?? '')) ?? [];
  return address === undefined ? undefined : (new URL(address).searchParams.get('cursor') ?? undefined);
};

/** All pages of the copy of a user. */
const exported = async (accounts: Accounts, userSub: string): Promise<string> => {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const request = {
      query: { cursor },
      addresses: { profile: 'https://profile.example.com' },
      header: () => `${userSub} ${accountClient}`,
    };
    const answer = await accounts.exported.invoke(`copy of ${userSub}, page ${pages.length + 1}`, (handler) =>
      handler(request as never),
    );
    pages.push(JSON.stringify(answer.body));
    cursor = cursorIn(answer);
  } while (cursor !== undefined && pages.length < pagesAtMost);
  return pages.join('\n');
};

/** When all is quiet. */
export const mistakesInCopies = async ({
  accounts,
  people,
}: {
  readonly accounts: Accounts;
  readonly people: People;
}): Promise<string[]> => {
  const mistakes: string[] = [];
  const current = people.all().filter((one) => people.current(one.userSub) === one);
  for (const own of current) {
    const copy = await exported(accounts, own.userSub);
    const all = [...people.dataOf(own.userSub), ...own.identifiers.values()];
    const missing = all.filter((text) => !copy.includes(text));
    if (missing.length > 0) mistakes.push(`The copy of ${own.userSub} lacks ${missing.join(', ')}`);
    /** What an earlier registration of the user said may be said again. */
    const isOwn = (text: string): boolean => text === own.userSub || all.includes(text);
    const othersTexts = ({ sub, identifier, data, registration }: ReturnType<typeof tellingTexts>) =>
      [sub, identifier, data, registration].flat();
    for (const other of people.all().filter((one: Registration) => one !== own)) {
      const told = othersTexts(tellingTexts(other, [])).filter((text) => !isOwn(text) && copy.includes(text));
      if (told.length > 0) mistakes.push(`The copy of ${own.userSub} tells of another: ${told.join(', ')}`);
    }
  }
  return mistakes;
};
