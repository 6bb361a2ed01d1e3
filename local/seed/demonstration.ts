import type { Address } from '../../shared/chain/hex.ts';
import type { Event } from '../../shared/ott/events/event.ts';
import type { Application } from '../../shared/platform/applications/application.ts';

export const ticketing = 'arena';

/** Three customers, to try out that customers cannot see each other's data. */
export const demonstrationApplications: readonly Omit<Application, 'version' | 'apiKeyIds' | 'tier'>[] = [
  {
    // The stage's default application: its rules apply to viewers whose request names no application.
    id: 'demo',
    name: 'Demonstration fan portal',
    clientIds: ['demo-web'],
    audience: 'all',
    limits: { contractsPerDay: 1_000, mintsPerDay: 100_000 },
    ott: { rules: [{ id: 'everything', enabled: true }] },
  },
  {
    id: 'partner',
    name: 'Demonstration partner',
    clientIds: ['partner-web'],
    audience: 'all',
    limits: { contractsPerDay: 1_000, mintsPerDay: 100_000 },
    ott: {
      rules: [
        { id: 'free', enabled: true, access: 'free' },
        { id: 'paid-football', enabled: true, access: 'paid', categories: ['football'] },
      ],
      geoblocking: { enabled: true, mode: 'block', countries: ['DE', 'FR'], statuses: ['LIVE'] },
    },
  },
  {
    id: ticketing,
    name: 'Demonstration arena',
    clientIds: ['arena-web'],
    audience: 'all',
    limits: { contractsPerDay: 1_000, mintsPerDay: 100_000 },
    ott: { rules: [{ id: 'everything', enabled: true }], streams_at_once: 2 },
  },
];

const stream = (distributionUrl: string, name: string): Event['stream'] => ({
  type: 'hls',
  url: `${distributionUrl}/${name}/index.m3u8`,
});

const picture = (distributionUrl: string, name: string) => `${distributionUrl}/pictures/${name}.svg`;

const minute = 60_000;
const day = 24 * 60 * minute;

/** The event that turns LIVE by itself soon after the system has started. */
export const kickOffEventId = 'evening-match';
const kickOffAfter = 3 * minute;

/** When the event turns LIVE and FINISHED by itself. `now` is in epoch milliseconds, as below. */
export const kickOffTimes = (now: number) => {
  const kickOff = Math.ceil((now + kickOffAfter) / 1_000) * 1_000;
  const at = (time: number) => new Date(time).toISOString();
  const end = at(kickOff + 110 * minute);
  return {
    startsAt: at(kickOff),
    endsAt: end,
    schedule: [
      { at: at(kickOff), status: 'LIVE' },
      { at: end, status: 'FINISHED' },
    ],
  } as const satisfies Partial<Event>;
};

/** Something that is LIVE, that is over, that is far ahead, and that turns LIVE by itself. */
export const demonstrationEvents = (distributionUrl: string, now: number): readonly Event[] => {
  const fromNow = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  return [
    {
      id: 'cup-final',
      title: 'Cup final',
      description: 'The cup final, live from the stadium.',
      status: 'LIVE',
      access: 'paid',
      startsAt: fromNow(-60 * minute),
      endsAt: fromNow(2 * day),
      image: picture(distributionUrl, 'cup-final'),
      categories: ['football'],
      stream: stream(distributionUrl, 'cup-final'),
      hand: {},
    },
    {
      id: 'training-session',
      title: 'Open training session',
      description: 'The team trains; the cameras are on.',
      status: 'LIVE',
      access: 'free',
      startsAt: fromNow(-1 * day),
      endsAt: null,
      image: picture(distributionUrl, 'training-session'),
      categories: ['football', 'behind-the-scenes'],
      stream: stream(distributionUrl, 'training-session'),
      hand: {},
    },
    {
      id: 'season-opening',
      title: 'Season opening',
      description: null,
      status: 'UPCOMING',
      access: 'free',
      startsAt: '2099-08-15T16:00:00.000Z',
      endsAt: null,
      image: picture(distributionUrl, 'season-opening'),
      categories: ['football'],
      stream: {
        type: 'hls',
        url: `${distributionUrl}/season-opening/index.m3u8`,
        availableFrom: '2099-08-15T15:30:00.000Z',
      },
      hand: {},
    },
    {
      id: 'winter-concert',
      title: 'Winter concert',
      description: 'Recorded in December.',
      status: 'VOD',
      access: 'paid',
      startsAt: fromNow(-160 * day),
      endsAt: fromNow(-160 * day + 120 * minute),
      image: picture(distributionUrl, 'winter-concert'),
      categories: ['music'],
      // Shown only in Iceland and Norway, whatever countries the application's own geoblocking allows or blocks.
      geoblocking: { enabled: true, mode: 'allow', countries: ['IS', 'NO'] },
      stream: stream(distributionUrl, 'winter-concert'),
      hand: {},
    },
    {
      id: 'derby-highlights',
      title: 'Derby highlights',
      description: null,
      status: 'VOD',
      access: 'free',
      startsAt: fromNow(-75 * day),
      endsAt: fromNow(-75 * day + 105 * minute),
      image: picture(distributionUrl, 'derby-highlights'),
      categories: ['football'],
      stream: stream(distributionUrl, 'derby-highlights'),
      hand: {},
    },
    {
      id: kickOffEventId,
      title: 'Evening match',
      description: 'It turns LIVE by itself, three minutes after the start of this system.',
      status: 'UPCOMING',
      access: 'free',
      ...kickOffTimes(now),
      image: picture(distributionUrl, kickOffEventId),
      categories: ['football'],
      stream: stream(distributionUrl, kickOffEventId),
      hand: {},
    },
  ];
};

export const demonstrationUsers = [
  { userSub: 'ana', data: { email: 'ana@example.com', is_club: 'true', club_id: 'A-1907' } },
  { userSub: 'bruno', data: { email: 'bruno@example.com', is_club: 'false', club_id: '' } },
  { userSub: 'chloe', data: { email: 'chloe@example.com', is_club: 'true', club_id: 'A-2044' } },
] as const;

/** A paid event. Viewers who hold a token of this collection may play it without buying it. */
export const ticketedEvent = (distributionUrl: string, contractAddress: Address): Event => ({
  id: 'arena-night',
  title: 'Arena night',
  description: 'Ticket holders watch it, each on up to two screens.',
  status: 'LIVE',
  access: 'paid',
  startsAt: '2026-06-12T19:00:00.000Z',
  endsAt: '2026-06-12T23:00:00.000Z',
  image: picture(distributionUrl, 'arena-night'),
  categories: ['music'],
  tickets: [{ contractAddress }],
  stream: stream(distributionUrl, 'arena-night'),
  hand: {},
});
