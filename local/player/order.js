const isLive = ({ status }) => status === 'LIVE';
/** Not yet begun: what is announced, also if its start is past, and any other event that starts later. */
const isAhead = ({ status, starts_at: startsAt }, now) =>
  status === 'UPCOMING' || (status === 'VOD' && Date.parse(startsAt) > now);

const byStart = (one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at);

/** What is LIVE, then what begins next, then what is past or does not take place, the latest first. */
export const inOrder = (events, now) => {
  const live = events.filter(isLive);
  const ahead = events.filter((event) => !isLive(event) && isAhead(event, now));
  const past = events.filter((event) => !isLive(event) && !isAhead(event, now));
  return [
    ...live.sort((one, other) => byStart(other, one)),
    ...ahead.sort(byStart),
    ...past.sort((one, other) => byStart(other, one)),
  ];
};
